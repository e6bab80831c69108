/* Signals that interrupt a system call in which a thread waits. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

/* Lets the signal do nothing but interrupt the system call of the thread that receives the signal:
 * the call fails with EINTR. Applies to the whole process, and stays until the process ends. */
void interrupt_by(int signal);

#endif
