package org.troupe.activeobjects.internal.listing;

import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An object that has left its node of birth, as that node decides whether its host may let the
 * collector of its JVM decide on it. Not thread-safe.
 */
public class DepartedObject {

  /*
   * Design: the release of an object that has moved
   *
   * The node of the birth lists the copies of references to an object wherever that is. The object takes a copy along, so a
   * host other than that node is among the holders. The host holds the object until it is released (GuestHold):
   *
   * 1. If the host is the only holder, and no body that the object has left exists at the birthplace, that node remembers
   *    how often it has learnt something of the object, and asks all others. Each sends a mark behind what it has sent to
   *    the object, and answers when that has arrived, behind its reports on copies. The host reads the version of its hold
   *    before its mark, and answers with that. A node that cannot tell answers "not now".
   * 2. When all have answered, the birthplace sends marks itself: others may have sent it what it forwards.
   * 3. If it has learnt nothing of the object meanwhile, it lets the host release the object, which does so if the version is
   *    the same, and it has received all copies that were given to it.
   *
   * Invariant: a host that has released the object holds the only copies, none is on its way, and no message to the object is
   * on its way, except such as the host has sent since. Each of these holds the object again.
   *
   * Proof. (a) If the host is the only receiver of a difference that is not 0, but another node has a copy, the host has given
   * one without telling: the first gift that is not told was made by a node that had a copy, by a gift that is told, and
   * has not told that it dropped that, as it would have told its own gift; so it is a receiver. (b) Hence no other node has a copy
   * between the steps 1 and 3: the gift of (a) was made before the host's answer, and arrives before that as news, or
   * after, and changes the version. The birthplace gives nothing, and takes no copy home, without learning that. (c) So only
   * the host sends messages to the object in that time. Earlier ones of another node are before its mark, or have come to the
   * birthplace before its answer, and so before the birthplace's mark. All marks arrive where the object is, or in the queue that
   * follows it. (d) The host's own messages are before its mark, or change the version.
   *
   * A loss of a node would make (a) and (c) uncertain, as would a reference that is made of a name and not given by a node. In each such
   * case the birthplace pins the object: it is held until it ends, as its host is told if it was to release the object. A loss that
   * the birthplace has not applied is harmless: the lost node is a holder, or does not answer, or had answered.
   *
   * The random runs of GuestProtocolTest show for most of these rules that they are needed.
   */

  /**
   * A question of the birthplace to all other nodes.
   *
   * @param host the holder of the only copies
   * @param changes how often the birthplace had learnt something
   * @param version of the hold, if the birthplace is the host
   * @param copies how many the host has, or are on their way to it
   */
  public record Question(long host, long changes, long version, int copies) {}

  private final HostedCopies copies;
  private final GuestHold home;
  private long changes;
  private long releasedTo; // the node that was let release it last; 0 if none
  private boolean isPinned;

  /**
   * Creates the knowledge of an object that leaves for the first time.
   *
   * @param versions as for {@link GuestHold}
   */
  public DepartedObject(HostedCopies copies, LongSupplier versions) {
    this.copies = copies;
    this.home = new GuestHold(versions);
  }

  /** Returns the hold of the object for the time when it has come home. */
  public final GuestHold home() {
    return home;
  }

  /** Records news of the object: of its copies, or of a body that forwards to it. */
  public void learnt() {
    changes++;
  }

  /**
   * Holds the object for good.
   *
   * @return the node that must hold it again; 0 if none was let release it
   */
  public final long pin() {
    isPinned = true;
    return takeBack();
  }

  /** Returns whether the object is held for good. */
  public final boolean isPinned() {
    return isPinned;
  }

  /**
   * Takes a release back, since something here needs the object again.
   *
   * @return as for {@link #pin}
   */
  public final long takeBack() {
    learnt();
    home.used();
    var host = releasedTo;
    releasedTo = 0;
    return host;
  }

  /** Returns what the others are to be asked about; {@code null} if the object is in use. */
  public final @Nullable Question question() {
    var host = isPinned ? 0 : copies.soleHost(home.isHere());
    return host == 0 ? null : new Question(host, changes, home.version(), copies.copiesOf(host));
  }

  /**
   * Decides, when all have answered, that the object is released. At home it is.
   *
   * @return whether another host is to release it
   */
  public final boolean release(Question question) {
    if (isPinned || !isUnchanged(question)) {
      return false;
    }
    if (copies.isHost(question.host())) {
      home.release(question.version());
      return false;
    }
    releasedTo = question.host();
    return true;
  }

  boolean isUnchanged(Question question) {
    return question.changes() == changes;
  }
}
