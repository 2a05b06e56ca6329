package org.troupe.program;

import java.util.concurrent.CompletableFuture;
import org.troupe.activeobjects.ActiveObjects;

/** Has money, sends it to other accounts, and counts what it has sent and received. */
public class GiroAccount {

  private long balance;
  private int sent;
  private int received;

  /**
   * The state of an account.
   *
   * @param sent how many transfers it has sent
   * @param received how many it has received
   */
  public record State(long balance, int sent, int received) {}

  /** Opens an account. */
  public GiroAccount(long first) {
    balance = first;
  }

  /** Sends money without waiting for its arrival; returns the number of the transfer. */
  public int send(GiroAccount to, long sum) {
    withdraw(sum);
    to.receive(sum);
    return sent;
  }

  /** Sends money, and waits until it has arrived; returns the number of the transfer. */
  public int sendAndWait(GiroAccount to, long sum) {
    withdraw(sum);
    return to.confirm(sum, sent);
  }

  /** Sends money; the answer is that of the other account. */
  public CompletableFuture<Integer> sendOnward(GiroAccount to, long sum) {
    withdraw(sum);
    var number = sent;
    return ActiveObjects.ref(to).ask(it -> it.confirm(sum, number));
  }

  private void withdraw(long sum) {
    balance -= sum;
    sent++;
  }

  /** Receives money. */
  public void receive(long sum) {
    balance += sum;
    received++;
  }

  /** Receives money; returns the number of the transfer. */
  public int confirm(long sum, int number) {
    receive(sum);
    return number;
  }

  /** Returns what the account has. */
  public State state() {
    return new State(balance, sent, received);
  }
}
