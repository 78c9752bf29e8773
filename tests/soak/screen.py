"""An X server of its own, and the input that a user gives to a window on it."""
import ctypes
import os
import subprocess
import time


class ClientMessage(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int),
                ("display", ctypes.c_void_p), ("window", ctypes.c_ulong),
                ("message_type", ctypes.c_ulong), ("format", ctypes.c_int),
                ("data", ctypes.c_long * 5)]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("client", ClientMessage), ("pad", ctypes.c_long * 24)]


class Screen:
    """An X server without a monitor, and functions that send input to the window."""

    def __init__(self, patience):
        self.patience = patience
        read_end, write_end = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write_end), "-screen", "0", "1920x1080x24", "-nolisten",
             "tcp"], pass_fds=(write_end,), stderr=subprocess.DEVNULL)
        os.close(write_end)
        with os.fdopen(read_end) as number:
            self.name = ":" + number.readline().strip()
        self.x = ctypes.CDLL("libX11.so.6")
        self.test = ctypes.CDLL("libXtst.so.6")
        self.x.XOpenDisplay.restype = ctypes.c_void_p
        self.x.XStringToKeysym.restype = ctypes.c_ulong
        for function in (self.x.XDefaultRootWindow, self.x.XInternAtom):
            function.restype = ctypes.c_ulong
        self.display = ctypes.c_void_p(self.x.XOpenDisplay(self.name.encode()))
        self.root = ctypes.c_ulong(self.x.XDefaultRootWindow(self.display))
        self.protocols = self.atom("WM_PROTOCOLS")
        self.ping_atom = self.atom("_NET_WM_PING")
        self.x.XSelectInput(self.display, self.root, ctypes.c_long(1 << 19))  # SubstructureNotify
        self.window = None

    def atom(self, name):
        return self.x.XInternAtom(self.display, name.encode(), 0)

    def find_window(self):
        found = subprocess.run(["xdotool", "search", "--sync", "--onlyvisible", "--name",
                                "Tilereel$"], env=dict(os.environ, DISPLAY=self.name),
                               capture_output=True, text=True, timeout=self.patience, check=True)
        self.window = ctypes.c_ulong(int(found.stdout.split()[0]))

    def code_of(self, key):
        symbol = self.x.XStringToKeysym(key.encode())
        return self.x.XKeysymToKeycode(self.display, ctypes.c_ulong(symbol))

    def flush(self):
        self.x.XFlush(self.display)

    def key(self, name, shift=False):
        code, shift_code = self.code_of(name), self.code_of("Shift_L")
        if shift:
            self.test.XTestFakeKeyEvent(self.display, shift_code, 1, 0)
        self.test.XTestFakeKeyEvent(self.display, code, 1, 0)
        self.test.XTestFakeKeyEvent(self.display, code, 0, 0)
        if shift:
            self.test.XTestFakeKeyEvent(self.display, shift_code, 0, 0)
        self.flush()

    def move(self, x, y):
        self.test.XTestFakeMotionEvent(self.display, -1, int(x), int(y), 0)
        self.flush()

    def button(self, number, down):
        self.test.XTestFakeButtonEvent(self.display, number, int(down), 0)
        self.flush()

    def resize(self, width, height):
        self.x.XResizeWindow(self.display, self.window, width, height)
        self.flush()

    def answers_ping(self, token):
        """Sends a ping through the window's own queue of events and waits for its answer."""
        event = Event()
        event.client.type = 33  # ClientMessage
        event.client.window = self.window
        event.client.message_type = self.protocols
        event.client.format = 32
        event.client.data[:] = [self.ping_atom, token, self.window.value, 0, 0]
        self.x.XSendEvent(self.display, self.window, 0, ctypes.c_long(0), ctypes.byref(event))
        self.flush()
        deadline = time.monotonic() + self.patience
        while time.monotonic() < deadline:
            while self.x.XPending(self.display):
                answer = Event()
                self.x.XNextEvent(self.display, ctypes.byref(answer))
                if answer.type == 33 and answer.client.data[1] == token:
                    return True
            time.sleep(0.005)
        return False

    def ask_to_close(self):
        """Sends the message by which a window manager closes a window (WM_DELETE_WINDOW)."""
        event = Event()
        event.client.type = 33
        event.client.window = self.window
        event.client.message_type = self.protocols
        event.client.format = 32
        event.client.data[:] = [self.atom("WM_DELETE_WINDOW"), 0, 0, 0, 0]
        self.x.XSendEvent(self.display, self.window, 0, ctypes.c_long(0), ctypes.byref(event))
        self.flush()

    def close(self):
        self.server.terminate()
        self.server.wait()
