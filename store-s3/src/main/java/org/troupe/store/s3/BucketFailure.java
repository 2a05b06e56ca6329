package org.troupe.store.s3;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Explains why a server has refused a request of a store, and the remedy. */
final class BucketFailure {

  private final S3Store store;

  BucketFailure(S3Store store) {
    this.store = store;
  }

  /**
   * Returns the error for a failed request.
   *
   * @param what completes "the store could not .."
   */
  IOException explain(String what, Throwable failure) {
    return new IOException(
        "the store %s could not %s: %s".formatted(store, what, reason(failure)), failure);
  }

  /** Returns the error for a server that overwrites objects which a put was only to create. */
  IOException withoutConditions(@Nullable Throwable failure) {
    return new IOException(
        "the store %s cannot be used: its server does not support puts with 'If-None-Match: *', by which one run at a time and one writer of an object is sure; use a server that does, or another store"
            .formatted(store),
        failure);
  }

  private String reason(Throwable failure) {
    return switch (failure) {
      case S3Exception answer -> answered(answer);
      case ApiCallTimeoutException late -> silent(late);
      case ApiCallAttemptTimeoutException late -> silent(late);
      case SdkClientException own -> unsent(own);
      default -> failure.toString();
    };
  }

  /** Explains an error that the server has answered with. */
  private String answered(S3Exception answer) {
    var details = answer.awsErrorDetails();
    var code = details == null || details.errorCode() == null ? "" : details.errorCode();
    var said =
        "the server answered %d%s%s"
            .formatted(
                answer.statusCode(),
                code.isEmpty() ? "" : " " + code,
                details == null || details.errorMessage() == null
                    ? ""
                    : " (" + details.errorMessage() + ")");
    return switch (code) {
      case "NoSuchBucket" ->
          "the bucket '%s' does not exist; create it, or give another".formatted(store.bucket());
      case "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken" ->
          said
              + "; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile, to credentials that this server knows";
      case "RequestTimeTooSkewed" -> said + "; set the clock of this host";
      case "PermanentRedirect",
          "AuthorizationHeaderMalformed",
          "IllegalLocationConstraintException" ->
          said + "; give the region of the bucket by withRegion(..)";
      case "SlowDown", "ServiceUnavailable", "InternalError" ->
          said + "; try again when the server is less busy, or look into its log";
      default ->
          switch (answer.statusCode()) {
            case 401, 403 ->
                said
                    + "; allow these credentials to list, read, write and delete the objects of s3://%s/%s*"
                        .formatted(store.bucket(), store.prefix());
            case 301, 307 -> said + "; give the region of the bucket by withRegion(..)";
            case 404 ->
                said
                    + "; check that the bucket '%s' exists and that the endpoint is a server of S3"
                        .formatted(store.bucket());
            default -> said + "; look into the log of the server";
          };
    };
  }

  private String silent(SdkClientException late) {
    return "the server gave no answer in time (%s); check the network and that the server runs"
        .formatted(late.getMessage());
  }

  /** Explains a request that had no answer. */
  private String unsent(SdkClientException own) {
    var message = String.valueOf(own.getMessage());
    if (message.contains("Unable to load credentials")) {
      return "this process has no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in its environment, or a profile in ~/.aws/credentials";
    }
    if (message.contains("Unable to load region")) {
      return "no region is known; give it by withRegion(..), or set AWS_REGION";
    }
    for (Throwable cause = own; cause != null; cause = cause.getCause()) {
      if (cause instanceof IOException) {
        return "the server does not answer (%s); check the endpoint, the network, and that the server runs"
            .formatted(cause);
      }
    }
    return message;
  }
}
