package org.troupe.program;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.troupe.groups.Operation;
import org.troupe.groups.Slice;
import org.troupe.groups.spmd.Spmd;

/** A member of an SPMD group. */
public class Stepper {

  private final List<String> notes = new ArrayList<>();

  /** Calls every collective operation, sends to the next member, and returns the results. */
  public String together() {
    var spmd = Spmd.here(Stepper.class);
    var rank = spmd.rank();
    var got = new StringBuilder();
    got.append(spmd.broadcast(1, "b" + rank));
    got.append(spmd.scatter(0, List.of("x", "y", "z")));
    got.append(spmd.gather(2, rank));
    got.append(spmd.allGather(rank));
    got.append(spmd.allToAll(List.of(rank + "to0", rank + "to1", rank + "to2")));
    got.append(spmd.allReduce("" + rank, String::concat));
    got.append(spmd.scan(rank + 1, Operation.SUM));

    var many = new double[50_000];
    many[rank] = 1;
    spmd.allReduce(Slice.of(many), Operation.SUM);
    got.append(" ").append(many[0] + many[1] + many[2]);

    var right = (rank + 1) % 3;
    var left = (rank + 2) % 3;
    spmd.send(right, "to " + right);
    var most = new double[150_000];
    most[most.length - 1] = 1;
    spmd.send(right, Slice.of(most));
    spmd.send(right, Slice.of(many));
    spmd.send(right, many);
    got.append(" ").append(spmd.<String>receive(left));
    for (var each : List.of(most, many)) {
      var received = new double[each.length];
      spmd.receive(left, Slice.of(received));
      got.append(Arrays.equals(received, each) ? "" : " but other numbers");
    }
    got.append(Arrays.equals(spmd.<double[]>receive(left), many) ? "" : " but another array");
    return got.toString();
  }

  /** Checks that a request sent before a barrier is served before one sent after it. */
  public void step() {
    var spmd = Spmd.here(Stepper.class);
    spmd.topology().ring().members().forEach(each -> each.note("border"));
    spmd.barrier();
    spmd.member(spmd.rank()).note("next");
  }

  public void note(String what) {
    notes.add(what);
  }

  /** Returns the notes so far. */
  public List<String> notes() {
    return List.copyOf(notes);
  }

  /** All members add 1. */
  public int count() {
    return Spmd.here(Stepper.class).allReduce(1, Operation.SUM);
  }

  /** The surviving members continue, and add 1. */
  public int countSurvivors() {
    return Spmd.here(Stepper.class).survivors().allReduce(1, Operation.SUM);
  }
}
