# Runs tasks that return a number at once on two worker processes, in microseconds per task.
import sys
import time

import ray

TASKS = 1000


@ray.remote
def same(number):
    return number


def micros():
    began = time.perf_counter()
    results = ray.get([same.remote(number) for number in range(TASKS)])
    ended = time.perf_counter()
    assert sum(results) == TASKS * (TASKS - 1) // 2
    return (ended - began) * 1e6 / TASKS


ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
print("ready", flush=True)
for _ in sys.stdin:  # a turn, or a warm-up
    print("= %f" % micros(), flush=True)
ray.shutdown()
