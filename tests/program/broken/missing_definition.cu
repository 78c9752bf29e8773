// says: no file of the program defines elsewhere(int); give its other files with --with
// ends: not compiled
int elsewhere(int);
int main() { return elsewhere(1); }
