# Computes pi by two actors, each in a process of its own.
import ray


@ray.remote
class Sum:
    def __init__(self, step):
        self.step = step
        self.total = 0.0

    def add(self, begin, end):
        for i in range(begin, end):
            x = (i + 0.5) * self.step
            self.total += 4 / (1 + x * x) * self.step

    def result(self):
        return self.total


n = 10_000_000  # a hundredth of the terms that a program in Java sums in about the same time
ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1")
left = Sum.remote(1 / n)
right = Sum.remote(1 / n)
left.add.remote(0, n // 2)
right.add.remote(n // 2, n)
print("pi is about", ray.get(left.result.remote()) + ray.get(right.result.remote()))
