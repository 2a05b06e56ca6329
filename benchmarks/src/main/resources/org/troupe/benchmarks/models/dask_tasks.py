# Runs tasks that return a number at once on two worker processes, in microseconds per task.
import sys
import time

from distributed import Client, LocalCluster

TASKS = 1000


def same(number):
    return number


def micros(client):
    began = time.perf_counter()
    results = client.gather(client.map(same, range(TASKS), pure=False))
    ended = time.perf_counter()
    assert sum(results) == TASKS * (TASKS - 1) // 2
    return (ended - began) * 1e6 / TASKS


if __name__ == "__main__":  # the workers import this file, too
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            print("ready", flush=True)
            for _ in sys.stdin:  # a turn, or a warm-up
                print("= %f" % micros(client), flush=True)
