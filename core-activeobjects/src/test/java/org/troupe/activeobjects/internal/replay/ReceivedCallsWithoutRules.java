package org.troupe.activeobjects.internal.replay;

import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.internal.replay.ReplayExplorer.WithoutRule;

/** The calls that an object has received, as accounted for without some rules of the protocol. */
final class ReceivedCallsWithoutRules extends ReceivedCalls<BankCall, Long> {

  private final WithoutRule without;

  ReceivedCallsWithoutRules(WithoutRule without) {
    this.without = without;
  }

  @Override
  public Map<Long, Long> resumed(Resumption<?> resumption) {
    return super.resumed(
        without == WithoutRule.BOUNDED_RESUMPTION
            ? new Resumption<>(state().highest(), List.of(), resumption.wanted())
            : resumption);
  }

  @Override
  public boolean isDuplicate(long number) {
    return without != WithoutRule.RECOGNISED_DUPLICATES && super.isDuplicate(number);
  }

  @Override
  boolean mayTake(NumberedCall<BankCall> call) {
    return switch (without) {
      case RECOGNISED_DUPLICATES, WAITING_EARLY_CALLS -> true;
      default -> super.mayTake(call);
    };
  }
}
