# Ends the process of an actor with a state of 1 KiB, and measures until its next answer, in milliseconds.
import os
import signal
import sys
import time

import ray


@ray.remote(max_restarts=-1, max_task_retries=-1, num_cpus=0)
class Account:
    def __init__(self):
        self.state = bytes(1024)

    def pid(self):
        return os.getpid()


ray.init(num_cpus=4, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
account = Account.remote()
ray.get(account.pid.remote())
print("ready", flush=True)
for _ in sys.stdin:
    pid = ray.get(account.pid.remote())
    began = time.perf_counter()
    os.kill(pid, signal.SIGKILL)
    again = ray.get(account.pid.remote())
    while again == pid:  # answered before the signal had its effect
        again = ray.get(account.pid.remote())
    print("= %f" % ((time.perf_counter() - began) * 1e3), flush=True)
ray.shutdown()
