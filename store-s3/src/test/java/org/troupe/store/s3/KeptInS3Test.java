package org.troupe.store.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.troupe.activeobjects.Waits.valueOf;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Keep;
import org.troupe.activeobjects.LocalNodes;
import org.troupe.activeobjects.Options;
import org.troupe.activeobjects.Restart;
import org.troupe.activeobjects.RestartedException;
import org.troupe.activeobjects.Waits;
import org.troupe.testing.LogRecords;

/** Objects that are kept in S3, with credentials of this process, are restarted from there. */
@Timeout(120)
class KeptInS3Test {

  private S3Server server;
  private LocalNodes nodes;

  /** Remembers its arguments. */
  public static class Account {
    private final List<Integer> entries = new ArrayList<>();

    public List<Integer> add(int number) {
      entries.add(number);
      return new ArrayList<>(entries);
    }

    public int fail() {
      entries.add(-1);
      throw new Broken();
    }
  }

  /** Fails an account. */
  public static class Broken extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  @BeforeEach
  void start(LogRecords records) {
    records.allow(Level.WARNING, "has failed and is restarted");
    records.allow(Level.WARNING, "restarted on another node");
    System.setProperty("aws.accessKeyId", S3Server.KEY_ID);
    System.setProperty("aws.secretAccessKey", S3Server.SECRET);
    server = S3Server.start();
    nodes = LocalNodes.start(2);
  }

  @AfterEach
  void stop() {
    nodes.close();
    server.close();
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
  }

  private Account account(Keep keep) {
    var options = Options.STANDARD.withKeep(keep).withRestart(Restart.here().on(Broken.class));
    return ActiveObjects.on(nodes.get(1)).with(options).create(Account.class); // the store travels
  }

  @Test
  void fromTheLastImage() {
    var account = account(Keep.state(server.store()));
    account.add(1);
    account.add(2);
    valueOf(ActiveObjects.ref(account).checkpoint(), "the image");
    account.add(3);
    assertThatThrownBy(account::fail).isInstanceOf(Broken.class);
    assertThat(account.add(4)).containsExactly(1, 2, 4);
  }

  @Test
  void withAllRequestsThatWereLogged() {
    var account = account(Keep.calls(server.store()));
    account.add(1);
    assertThat(account.add(2)).containsExactly(1, 2);
    account.add(3);
    assertThatThrownBy(account::fail).isInstanceOf(Broken.class);
    assertThat(account.add(4)).containsExactly(1, 2, 3, 4);
    valueOf(ActiveObjects.ref(account).checkpoint(), "the image");
    assertThatThrownBy(account::fail).isInstanceOf(Broken.class);
    assertThat(account.add(5)).containsExactly(1, 2, 3, 4, 5);
  }

  @Test
  void onAnotherNodeIfTheirsIsLost() {
    var options =
        Options.STANDARD.withKeep(Keep.calls(server.store())).withRestart(Restart.elsewhere());
    var account = ActiveObjects.on(nodes.get(1)).with(options).create(Account.class);
    account.add(1);
    assertThat(account.add(2)).containsExactly(1, 2);
    nodes.kill(1);
    Waits.until(() -> tried(account), "the loss is known, and the object is back");
    assertThat(account.add(3)).startsWith(1, 2).endsWith(0, 3);
  }

  /** Adds a 0; a call that is under way at the loss has an unknown outcome. */
  private static boolean tried(Account account) {
    try {
      assertThat(account.add(0).size()).isPositive(); // waits for the answer
      return true;
    } catch (RestartedException unknown) {
      return false;
    }
  }

  @Test
  void thatFailsWhileTheLogCannotBeWritten() {
    var account = account(Keep.calls(server.store()));
    account.add(1);
    assertThat(account.add(2)).containsExactly(1, 2);
    var left = new int[] {3}; // the attempts of one put
    server.objects.refusesPuts = key -> key.contains("/journals/") && left[0]-- > 0;
    assertThat(account.add(3)).containsExactly(1, 2, 3); // after the restart
    assertThat(account.add(4)).containsExactly(1, 2, 3, 4);
    assertThat(left[0]).isNegative();
  }

  @Test
  void andLeaveOnlyTheEndOfTheirJournalWhenTheyAreTerminated() {
    var account = account(Keep.calls(server.store()));
    account.add(1);
    assertThat(server.objects.keys("troupe/journals/")).isNotEmpty();
    valueOf(ActiveObjects.ref(account).terminate(), "the end");
    assertThat(server.objects.keys("troupe/journals/")).hasSize(1); // until the next run
    assertThat(server.objects.keys("troupe/images/")).isEmpty();
    nodes.close();
    assertThat(server.objects.keys("")).hasSize(2); // also the last user, for its number
  }
}
