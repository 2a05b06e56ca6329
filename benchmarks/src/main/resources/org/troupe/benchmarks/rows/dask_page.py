# Serves Dask's page of workers that are called all the time; prints its address. Ends with its input.
import sys
import threading

from distributed import Client, LocalCluster

WORKERS, CALLS, PAUSE_SECONDS = (int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]))


def add(value):
    return value + 1


if __name__ == "__main__":
    cluster = LocalCluster(
        n_workers=WORKERS, threads_per_worker=1, processes=False, dashboard_address="127.0.0.1:0", silence_logs=50
    )
    client = Client(cluster)
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    print("ready " + client.dashboard_link, flush=True)
    while not ended.wait(PAUSE_SECONDS):
        client.gather(client.map(add, range(CALLS), pure=False))
    client.close()
    cluster.close()
