package org.troupe.groups.spmd;

import java.util.List;
import java.util.stream.IntStream;
import org.troupe.activeobjects.collective.BodyExtension.Key;
import org.troupe.activeobjects.collective.Collectives;

/** Creates this member's communicator in a group that its members derive from their own. */
final class DerivedCommunicators {

  private final CollectiveRunner runner;
  private final Communicator communicator;

  /**
   * Prepares groups derived from another one.
   *
   * @param runner of this member in the original group
   */
  DerivedCommunicators(CollectiveRunner runner) {
    this.runner = runner;
    this.communicator = runner.communicator();
  }

  /** Returns the communicator of the members that give the same colour. */
  Communicator split(int colour) {
    var key = Collectives.current().newKey();
    var own = new long[] {colour, key.origin(), key.number()};
    Object[] all = runner.run(OperationKind.ALL_GATHER, c -> ObjectCollectives.allGather(c, own));
    var ranks =
        IntStream.range(0, communicator.size())
            .filter(each -> ((long[]) all[each])[0] == colour)
            .toArray();
    var first = (long[]) all[ranks[0]];
    return subgroup(new Key(first[1], first[2]), ranks, true);
  }

  /** Returns the communicator of the group with the objects that rank 0 adds. */
  Communicator withJoiners(List<?> joiners) {
    Object[] words =
        runner.run(
            OperationKind.RECONFIGURE,
            0,
            c -> {
              communicator.barriers().join(runner.limit());
              return ObjectCollectives.broadcast(
                  c,
                  0,
                  communicator.rank() == 0
                      ? CommunicatorFactory.extend(communicator, joiners)
                      : null);
            });
    var extension =
        new CommunicatorExtension(
            new Key((Long) words[0], (Long) words[1]),
            (Object[]) words[2],
            (MemberLocation[]) words[3],
            communicator.isSubgroup());
    leave();
    return attach(extension);
  }

  /** Returns the communicator of the members that are not lost. */
  Communicator survivors() {
    try (var c = runner.begin(OperationKind.SURVIVORS, -1, Object.class, null)) {
      var decision = new SurvivorAgreement(communicator, c).reach();
      var survivors = subgroup(decision.key(), decision.ranks(), communicator.isSubgroup());
      leave();
      return survivors;
    }
  }

  private Communicator subgroup(Key key, int[] ranks, boolean isSubgroup) {
    var stubs = IntStream.of(ranks).mapToObj(communicator::stub).toArray();
    var locations =
        IntStream.of(ranks)
            .mapToObj(each -> communicator.hierarchy().locations()[each])
            .toArray(MemberLocation[]::new);
    return attach(new CommunicatorExtension(key, stubs, locations, isSubgroup));
  }

  private static Communicator attach(CommunicatorExtension extension) {
    Collectives.current().attachToCurrent(extension);
    return extension.release();
  }

  private void leave() {
    communicator.barriers().close();
    Collectives.current().detachFromCurrent(communicator.key());
  }
}
