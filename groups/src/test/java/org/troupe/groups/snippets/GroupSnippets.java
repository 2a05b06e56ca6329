package org.troupe.groups.snippets;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.troupe.activeobjects.Nodes;
import org.troupe.activeobjects.Store;
import org.troupe.groups.Group;
import org.troupe.groups.Groups;
import org.troupe.groups.LiveGroup;
import org.troupe.groups.Results;
import org.troupe.groups.Scatter;

/** The code samples of the Javadoc of groups. They are compiled, not run. */
final class GroupSnippets {

  private GroupSnippets() {}

  /** A result that a stub can stand for. */
  static class Field {
    double[] values() {
      return new double[0];
    }
  }

  /** A part of a problem. */
  static class Part {
    Part join(Part other) {
      return other;
    }
  }

  /** A piece of work that belongs to a member. */
  static class Task {
    int rank() {
      return 0;
    }
  }

  /** An answer of a member. */
  static class Answer {}

  /** What members compute with. */
  static class Solver {
    Solver(Part part) {
      assert part != null;
    }

    void step(double dt) {
      assert dt > 0;
    }

    double energy() {
      return 0;
    }

    Field field() {
      return new Field();
    }

    double[] values() {
      return new double[0];
    }

    void place(double[] point) {
      assert point.length > 0;
    }

    double probe(double[] point) {
      return point[0];
    }

    void load(double[] charges) {
      assert charges.length > 0;
    }

    double sum(double[] charges) {
      return charges[0];
    }

    Answer solve(List<Task> tasks) {
      assert !tasks.isEmpty();
      return new Answer();
    }

    void take(Answer answer) {
      assert answer != null;
    }
  }

  /** Shows answers of members. */
  static class Display {
    void show(Object answer) {
      assert answer != null;
    }
  }

  /** A member of a group that follows its nodes. */
  static class Worker {
    void begin(String job) {
      assert !job.isEmpty();
    }

    void report() {}
  }

  static void groups(Nodes nodes, List<Part> parts, double dt) {
    // @start region="groups"
    Solver all = Groups.on(nodes).create(Solver.class, Scatter.of(parts));
    all.step(dt); // a call on all members
    Field fields = all.field(); // a group of their results
    // @end
    assert fields != null;
  }

  static void group(Solver all, double dt) {
    // @start region="group"
    Group<Solver> group = Group.of(all);
    Results<Double> energies = group.ask(Solver::energy);
    group.select(rank -> rank % 2 == 0).all().step(dt);
    // @end
    assert energies != null;
  }

  static double results(Solver all) {
    // @start region="results"
    Results<Double> energies = Group.of(all).ask(Solver::energy);
    CompletableFuture<Double> total = energies.reduce(Double::sum);
    double last = energies.get(energies.size() - 1); // waits for that result
    List<Double> early = energies.first(3); // waits for three results
    // @end
    return total.join() + last + early.size();
  }

  static void checkpoint(Nodes nodes, Path folder, List<Part> parts, double dt) {
    // @start region="checkpoint"
    Store store = Store.directory(folder);
    Group<Solver> solvers = Group.of(Groups.on(nodes).spmd(Solver.class, Scatter.of(parts)));
    solvers.tell(each -> each.step(dt));
    solvers.checkpoint(store).join(); // behind the step, at each member
    // @end
    // @start region="restore"
    Solver again = Groups.on(nodes).restore(Solver.class, store); // perhaps in a later program
    again.step(dt);
    // @end
  }

  static void live(Nodes workerNodes, String job) throws InterruptedException, TimeoutException {
    // @start region="live"
    LiveGroup<Worker> workers = Groups.following(workerNodes).create(Worker.class);
    workers.await(4, Duration.ofMinutes(1)).tell(w -> w.begin(job));
    workers.all().report(); // the members at this moment
    // @end
  }
}
