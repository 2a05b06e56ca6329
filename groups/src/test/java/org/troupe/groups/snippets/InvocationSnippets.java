package org.troupe.groups.snippets;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.troupe.groups.Group;
import org.troupe.groups.Reduction;
import org.troupe.groups.Results;
import org.troupe.groups.Scatter;
import org.troupe.groups.snippets.GroupSnippets.Answer;
import org.troupe.groups.snippets.GroupSnippets.Display;
import org.troupe.groups.snippets.GroupSnippets.Field;
import org.troupe.groups.snippets.GroupSnippets.Part;
import org.troupe.groups.snippets.GroupSnippets.Solver;
import org.troupe.groups.snippets.GroupSnippets.Task;
import org.troupe.groups.spmd.Spmd;

/** Every way to call combined with every way to reply. They are compiled, not run. */
final class InvocationSnippets {

  private InvocationSnippets() {}

  static double[] add(double[] left, double[] right) {
    assert left.length == right.length;
    return left;
  }

  static double[] cut(double[] whole, int rank, int size) {
    return new double[whole.length / size + rank];
  }

  static double share(double whole, int rank, int size) {
    return whole * rank / size;
  }

  /** An answer of the store. */
  static class Sum {
    Sum plus(Sum other) {
      return other;
    }

    Part cut(int rank, int size) {
      assert rank < size;
      return new Part();
    }
  }

  /** Gets the arguments of all members as one. */
  static class Store {
    Sum add(Part part) {
      assert part != null;
      return new Sum();
    }
  }

  static void one(Group<Solver> group, Display display, double dt) {
    // @start region="one"
    group.tellOne(2, s -> s.step(dt)).discard();
    CompletableFuture<Double> energy = group.one(2, Solver::energy).returned(0);
    Results<Double> asResults = group.one(2, Solver::energy).gather();
    group.one(2, Solver::energy).forward(display, Display::show);
    // @end
    assert energy != null && asResults != null;
  }

  static void each(Group<Solver> group, Display display, double dt) {
    // @start region="each"
    group.tellEach(s -> s.step(dt)).discard();
    CompletableFuture<Double> first = group.each(Solver::energy).returned(0);
    Results<Double> energies = group.each(Solver::energy).gather();
    Field fields = group.each(Solver::field).gather().all();
    CompletableFuture<Double> total =
        group.each(Solver::energy).combine(Reduction.tree(Double::sum));
    group.each(Solver::field).forward(display, Display::show);
    group
        .each(Solver::values)
        .personalised(Reduction.flat(InvocationSnippets::add), InvocationSnippets::cut);
    // @end
    assert first != null && energies != null && fields != null && total != null;
  }

  static void byRank(Group<Solver> group, double[][] points) {
    // @start region="byRank"
    group.tellByRank((s, rank) -> s.place(points[rank])).discard();
    CompletableFuture<Double> third = group.byRank((s, rank) -> s.probe(points[rank])).returned(3);
    CompletableFuture<Double> largest =
        group.byRank((s, rank) -> s.probe(points[rank])).combine(Reduction.flat(Math::max));
    // @end
    assert third != null && largest != null;
  }

  static void scatter(Group<Solver> group, Solver all, double[] charges, List<Task> tasks) {
    // @start region="scatter"
    group.tellScatter(Scatter.blocks(charges), Solver::load).discard();
    CompletableFuture<Double> sum =
        group.scatter(Scatter.blocks(charges), Solver::sum).combine(Reduction.tree(Double::sum));
    Results<Answer> answers = group.scatter(Scatter.cyclic(tasks), Solver::solve).gather();
    group.scatter(Scatter.byKey(tasks, Task::rank), Solver::solve).forward(all, Solver::take);
    // @end
    assert sum != null && answers != null;
  }

  static void combined(Spmd<Solver> spmd, Part part, Store store) {
    // @start region="combined"
    Reduction<Part> joined = Reduction.tree(Part::join);
    spmd.combined(part, joined, store, Store::add).discard();
    CompletableFuture<Sum> atFirst = spmd.combined(part, joined, store, Store::add).returned(0);
    CompletableFuture<Part> own =
        spmd.combined(part, joined, store, Store::add)
            .personalised(Reduction.flat(Sum::plus), Sum::cut);
    // @end
    assert atFirst != null && own != null;
  }
}
