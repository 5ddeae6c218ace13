#define DEEPER 100
