#pragma once
// TILEREEL_ADDRESS_SANITIZER and TILEREEL_THREAD_SANITIZER are 1 if this file is compiled with that
// sanitizer, else 0. g++ defines a macro for it; clang has __has_feature.
#if defined(__SANITIZE_ADDRESS__)
#define TILEREEL_ADDRESS_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TILEREEL_ADDRESS_SANITIZER 1
#endif
#endif
#ifndef TILEREEL_ADDRESS_SANITIZER
#define TILEREEL_ADDRESS_SANITIZER 0
#endif

#if defined(__SANITIZE_THREAD__)
#define TILEREEL_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TILEREEL_THREAD_SANITIZER 1
#endif
#endif
#ifndef TILEREEL_THREAD_SANITIZER
#define TILEREEL_THREAD_SANITIZER 0
#endif
