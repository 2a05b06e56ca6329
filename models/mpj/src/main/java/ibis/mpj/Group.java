package ibis.mpj;

import org.jspecify.annotations.Nullable;
import org.troupe.mpj.comm.RankGroup;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** An ordered set of ranks. */
public class Group implements Freeable {

  private @Nullable RankGroup core; // null once freed

  Group(@Nullable RankGroup core) {
    this.core = core;
  }

  static RankGroup core(@Nullable Group group) {
    if (group != null && group.core == null) {
      throw MessagingError.of(
          ErrorClass.GROUP,
          "the group has been freed, or is GROUP_NULL; take one from a communicator");
    }
    return RankGroup.given(group == null ? null : group.core);
  }

  /** Returns the number of ranks. */
  public int size() throws MPJException {
    return core(this).size();
  }

  /** Returns the rank of the caller, or {@code UNDEFINED}. */
  public int rank() throws MPJException {
    return core(this).rank();
  }

  /** Returns the ranks in this group of ranks of another. */
  public int[] translateRanks(Group group1, int[] ranks1) throws MPJException {
    return core(group1).translate(ranks1, core(this));
  }

  /** Returns {@code IDENT}, {@code SIMILAR} or {@code UNEQUAL}. */
  public static int compare(Group group1, Group group2) throws MPJException {
    return MPJ.of(core(group1).compare(core(group2)));
  }

  /** Returns the ranks of the first group, and behind them those of the second only. */
  public static Group union(Group group1, Group group2) throws MPJException {
    return new Group(core(group1).union(core(group2)));
  }

  /** Returns the ranks of the first group that are in the second, too. */
  public static Group intersection(Group group1, Group group2) throws MPJException {
    return new Group(core(group1).intersection(core(group2)));
  }

  /** Returns the ranks of the first group that are not in the second. */
  public static Group difference(Group group1, Group group2) throws MPJException {
    return new Group(core(group1).difference(core(group2)));
  }

  /** Returns the group of some of the ranks, in the order given. */
  public Group incl(int[] ranks) throws MPJException {
    return new Group(core(this).including(ranks));
  }

  /** Returns the group without some of the ranks. */
  public Group excl(int[] ranks) throws MPJException {
    return new Group(core(this).excluding(ranks));
  }

  /** Returns the group of ranges, each of a first rank, a last and a stride. */
  public Group rangeIncl(int[][] ranges) throws MPJException {
    return new Group(core(this).including(RankGroup.places(ranges)));
  }

  /** Returns the group without ranges, each of a first rank, a last and a stride. */
  public Group rangeExcl(int[][] ranges) throws MPJException {
    return new Group(core(this).excluding(RankGroup.places(ranges)));
  }

  @Override
  public void free() throws MPJException {
    core(this);
    core = null;
  }
}
