# Serves Ray's page of actors that are called all the time; prints its address. Ends with its input.
import random
import socket
import sys
import threading

import ray

ACTORS, CALLS, PAUSE_SECONDS = (int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))


@ray.remote(num_cpus=0)
class Counter:
    def __init__(self):
        self.sum = 0

    def add(self, value):
        self.sum += value
        return self.sum


with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
context = ray.init(
    num_cpus=4,
    include_dashboard=True,
    dashboard_host="127.0.0.1",
    dashboard_port=port,
    logging_level="ERROR",
    log_to_driver=False,
)
actors = []
while len(actors) < ACTORS:  # Ray warns of many processes that start at the same time
    started = [Counter.remote() for _ in range(min(4, ACTORS - len(actors)))]
    ray.get([actor.add.remote(1) for actor in started])
    actors += started
ended = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
print("ready http://" + context.dashboard_url, flush=True)
while not ended.wait(PAUSE_SECONDS):
    ray.get([actor.add.remote(1) for actor in random.sample(actors, min(CALLS, ACTORS))])
ray.shutdown()
