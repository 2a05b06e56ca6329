package ibis.mpj;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.troupe.mpj.comm.MessageRequest;
import org.troupe.mpj.comm.MessageStatus;
import org.troupe.mpj.comm.NamedConstants;
import org.troupe.mpj.error.ErrorClass;
import org.troupe.mpj.error.MessagingError;

/** An operation that may not be complete. Its array belongs to it until then. */
public class Request implements Freeable {

  private final MessageRequest core;

  Request(MessageRequest core) {
    this.core = core;
  }

  MessageRequest core() {
    return core;
  }

  private static @Nullable MessageRequest[] cores(@Nullable Request @Nullable [] requests) {
    if (requests == null) {
      throw MessagingError.of(ErrorClass.REQUEST, "the array of requests is null");
    }
    @Nullable MessageRequest[] cores = new @Nullable MessageRequest[requests.length];
    for (int i = 0; i < cores.length; i++) {
      Request each = requests[i];
      cores[i] = each == null ? null : each.core;
    }
    return cores;
  }

  /** Waits for the completion. */
  public Status Wait() throws MPJException {
    return Status.of(core.await());
  }

  /** Returns the status, or {@code null} if the operation is not complete. */
  public @Nullable Status test() throws MPJException {
    return Status.orNull(core.test());
  }

  /** Returns whether the request is null, as it is when its status was told. */
  public boolean isVoid() {
    return core.isNull();
  }

  /** Tries to cancel the operation; the status says whether that succeeded. */
  public void cancel() throws MPJException {
    core.cancel();
  }

  @Override
  public void free() throws MPJException {
    core.free();
  }

  /** Waits for one of several. */
  public static Status waitAny(Request[] array_of_requests) throws MPJException {
    return one(MessageRequest.awaitAny(cores(array_of_requests)));
  }

  /** Returns the status of one that is complete, or {@code null}. */
  public static @Nullable Status testAny(Request[] array_of_requests) throws MPJException {
    MessageRequest.Indexed found = MessageRequest.testAny(cores(array_of_requests));
    return found == null ? null : one(found);
  }

  private static Status one(MessageRequest.Indexed found) {
    Status status = Status.of(found.status(), found.index());
    if (found.index() == NamedConstants.UNDEFINED) {
      status.source = MPJ.ANY_SOURCE;
    }
    return status;
  }

  /** Waits for all; throws the first failure when all are complete. */
  public static Status[] waitAll(Request[] array_of_requests) throws MPJException {
    return all(MessageRequest.awaitAll(cores(array_of_requests)));
  }

  /** Returns the status of all, or {@code null} if some are not complete. */
  public static Status @Nullable [] testAll(Request[] array_of_requests) throws MPJException {
    List<MessageStatus> found = MessageRequest.testAll(cores(array_of_requests));
    return found == null ? null : all(found);
  }

  private static Status[] all(List<MessageStatus> found) {
    Status[] all = new Status[found.size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = Status.of(found.get(i), i);
    }
    return all;
  }

  /** Waits for at least one; returns the status of those that are complete. */
  public static Status[] waitSome(Request[] array_of_requests) throws MPJException {
    return some(MessageRequest.awaitSome(cores(array_of_requests)));
  }

  /** Returns the status of those that are complete, perhaps none. */
  public static Status[] testSome(Request[] array_of_requests) throws MPJException {
    return some(MessageRequest.testSome(cores(array_of_requests)));
  }

  private static Status[] some(List<MessageRequest.Indexed> found) {
    return found.stream()
        .map(each -> Status.of(each.status(), each.index()))
        .toArray(Status[]::new);
  }
}
