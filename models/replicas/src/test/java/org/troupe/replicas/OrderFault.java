package org.troupe.replicas;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Ways to break the order of writes: each changes messages as an error in the protocol would. */
enum OrderFault {
  NONE,

  /** A member that lives is taken for lost by some. */
  FALSE_LOSS,

  /** A member that prepares a view does not say what it knows. */
  EMPTY_REPORT,

  /** A member forgets the change that it has got last. */
  SHORT_REPORT,

  /** A newcomer gets the state without the changes in it that others may lack. */
  STATE_WITHOUT_LOG,

  /** The members are not told of the newcomer before its view begins. */
  UNKNOWN_NEWCOMER,

  /** Numbers of a former view are taken in the present one. */
  OLD_NUMBERS,

  /** Writes of a former view are taken in the present one. */
  OLD_WRITES,

  /** The number of a change is stable before all have applied it. */
  EARLY_STABLE,

  /** Who prepares a view does not wait for the report of one member. */
  MISSING_REPORT,

  /** A newcomer asks the oldest member only. */
  SINGLE_JOIN;

  /** Returns what the receiver gets in place of a message; {@code null} if it gets nothing. */
  @Nullable OrderMessage changed(OrderMessage message, WriteOrder receiver, boolean isToOldest) {
    return switch (message) {
      case OrderMessage.Report(var view, var member, var installed, var applied, var log)
          when this == EMPTY_REPORT && member % 2 == 1 ->
          new OrderMessage.Report(view, member, installed, applied, new TreeMap<>());
      case OrderMessage.Report(var view, var member, var installed, var applied, var log)
          when this == SHORT_REPORT && !log.isEmpty() ->
          new OrderMessage.Report(view, member, installed, applied, log.headMap(log.lastKey()));
      case OrderMessage.Install(var view, var first, var changes, OrderMessage.State state)
          when this == STATE_WITHOUT_LOG && state != null && state.applied() >= first ->
          new OrderMessage.Install(
              view,
              state.applied() + 1,
              changes.subList((int) (state.applied() + 1 - first), changes.size()),
              state);
      case OrderMessage.Prepare(View next) when this == UNKNOWN_NEWCOMER && receiver.hasState() ->
          new OrderMessage.Prepare(
              new View(next.number(), new TreeMap<>(next.members().headMap(next.number()))));
      case OrderMessage.Numbered(var _, var number, var change, var stable)
          when this == OLD_NUMBERS ->
          new OrderMessage.Numbered(receiver.view().id(), number, change, stable);
      case OrderMessage.Numbered(var view, var number, var change, var _)
          when this == EARLY_STABLE ->
          new OrderMessage.Numbered(view, number, change, receiver.applied());
      case OrderMessage.Proposal(var _, var member, var write, var beyond)
          when this == OLD_WRITES ->
          new OrderMessage.Proposal(receiver.view().id(), member, write, beyond);
      case OrderMessage.Join join when this == SINGLE_JOIN && !isToOldest -> null;
      default -> message;
    };
  }
}
