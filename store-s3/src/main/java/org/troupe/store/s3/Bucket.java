package org.troupe.store.s3;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3Configuration;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The objects of a store: those of a bucket whose keys begin with a prefix. Thread-safe. */
final class Bucket implements AutoCloseable {

  /*
   * Design: requests of bounded time
   *
   * Each request is made by a virtual thread of its own, for which the caller waits without being interruptible. An interrupt of a user's
   * thread therefore breaks no journal, while an interrupt by the client, when a time limit is over, closes the socket: a virtual
   * thread that reads, writes or connects gives up at once, also if the server has stopped reading in the middle of a put.
   *
   * A request has ATTEMPTS attempts, each of Limits.attempt and the time that its bytes take at Limits.bytesPerSecond. The client
   * repeats attempts that have failed, so a put with If-None-Match may be refused because of an earlier attempt of
   * its own: the caller finds that out by reading the object.
   *
   * Only If-None-Match: * is used of all conditions. It is the one that most servers have, and creating an object once is
   * all that chains need (JournalPart, RunLease).
   */
  private static final int ATTEMPTS = 3;
  private static final int CONFLICTS = 20;
  private static final int AT_ONCE = 16;

  /**
   * The time limit of a request.
   *
   * @param connect the time to connect
   * @param attempt the time of one attempt, without that of its bytes
   * @param bytesPerSecond the slowest network for which the time of the bytes is enough
   * @param singlePut the most bytes in one put; larger content is uploaded in parts
   * @param part the size of a part
   */
  record Limits(Duration connect, Duration attempt, int bytesPerSecond, long singlePut, int part) {
    static final Limits STANDARD =
        new Limits(Duration.ofSeconds(5), Duration.ofSeconds(15), 256 << 10, 64 << 20, 16 << 20);
  }

  /**
   * An object in a list.
   *
   * @param name its key without the folder that was listed
   */
  record Listed(String name, long length, Instant modified) {}

  /** A request to the server. */
  interface Request<T> {
    T send();
  }

  private final S3Store store;
  private final S3Client client;
  private final Limits limits;
  private final BucketFailure failure;

  private Bucket(S3Store store, S3Client client, Limits limits, BucketFailure failure) {
    this.store = store;
    this.client = client;
    this.limits = limits;
    this.failure = failure;
  }

  /** Makes a client for the bucket of a store; asks nothing of the server yet. */
  static Bucket open(S3Store store) throws IOException {
    return open(store, DefaultCredentialsProvider.builder().build(), Limits.STANDARD);
  }

  static Bucket open(S3Store store, AwsCredentialsProvider credentials, Limits limits)
      throws IOException {
    var builder =
        S3Client.builder()
            .credentialsProvider(credentials)
            .httpClientBuilder(
                UrlConnectionHttpClient.builder()
                    .connectionTimeout(limits.connect())
                    .socketTimeout(limits.attempt()))
            // Parts and images have checks of their own; some servers do not know those of the
            // client.
            .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
            .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED)
            .serviceConfiguration(S3Configuration.builder().chunkedEncodingEnabled(false).build())
            .overrideConfiguration(
                options ->
                    options.retryStrategy(
                        AwsRetryStrategy.standardRetryStrategy().toBuilder()
                            .maxAttempts(ATTEMPTS)
                            .build()));
    if (store.endpoint() != null) {
      builder.endpointOverride(store.endpoint()).forcePathStyle(true).region(Region.US_EAST_1);
    }
    if (store.region() != null) {
      builder.region(Region.of(store.region()));
    }
    var failure = new BucketFailure(store);
    try {
      return new Bucket(store, builder.build(), limits, failure);
    } catch (SdkException cause) {
      throw failure.explain("be reached", cause);
    }
  }

  /** Returns the address of an object, for messages. */
  String url(String key) {
    return "s3://" + store.bucket() + "/" + store.prefix() + key;
  }

  /**
   * Creates an object.
   *
   * @param what completes "the store could not .."
   * @return {@code false} if there is one of that key, which an attempt of this call may have
   *     created
   */
  boolean create(String what, String key, ObjectContent content) throws IOException {
    for (int conflict = 0; ; conflict++) {
      try {
        send(
            () ->
                client.putObject(
                    put ->
                        put.bucket(store.bucket())
                            .key(store.prefix() + key)
                            .ifNoneMatch("*")
                            .overrideConfiguration(within(content.length())),
                    body(content)));
        return true;
      } catch (S3Exception answer) {
        if (answer.statusCode() == 412) {
          return false;
        }
        if (answer.statusCode() == 501) {
          throw failure.withoutConditions(answer);
        }
        if (answer.statusCode() != 409 || conflict == CONFLICTS) { // another put of this key runs
          throw failure.explain(what, answer);
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(50_000_000));
      } catch (RuntimeException cause) {
        throw failure.explain(what, cause);
      }
    }
  }

  /** Puts an object, in place of one that has its key; large content in parts. */
  void put(String what, String key, ObjectContent content) throws IOException {
    try {
      if (content.length() > limits.singlePut()) {
        putInParts(store.prefix() + key, content);
        return;
      }
      send(
          () ->
              client.putObject(
                  put ->
                      put.bucket(store.bucket())
                          .key(store.prefix() + key)
                          .overrideConfiguration(within(content.length())),
                  body(content)));
    } catch (RuntimeException cause) {
      throw failure.explain(what, cause);
    }
  }

  private void putInParts(String key, ObjectContent content) {
    var upload =
        send(() ->
                client.createMultipartUpload(
                    create ->
                        create.bucket(store.bucket()).key(key).overrideConfiguration(within(0))))
            .uploadId();
    try {
      List<CompletedPart> parts = new ArrayList<>();
      for (long begin = 0; begin < content.length(); begin += limits.part()) {
        var number = parts.size() + 1;
        var part = content.slice(begin, Math.min(limits.part(), content.length() - begin));
        var answer =
            send(
                () ->
                    client.uploadPart(
                        put ->
                            put.bucket(store.bucket())
                                .key(key)
                                .uploadId(upload)
                                .partNumber(number)
                                .overrideConfiguration(within(part.length())),
                        body(part)));
        parts.add(CompletedPart.builder().partNumber(number).eTag(answer.eTag()).build());
      }
      send(
          () ->
              client.completeMultipartUpload(
                  complete ->
                      complete
                          .bucket(store.bucket())
                          .key(key)
                          .uploadId(upload)
                          .multipartUpload(all -> all.parts(parts))
                          .overrideConfiguration(within(content.length()))));
    } catch (RuntimeException cause) {
      try {
        send(
            () ->
                client.abortMultipartUpload(
                    abort ->
                        abort
                            .bucket(store.bucket())
                            .key(key)
                            .uploadId(upload)
                            .overrideConfiguration(within(0))));
      } catch (RuntimeException second) {
        cause.addSuppressed(second); // the server keeps the parts until its own clean-up
      }
      throw cause;
    }
  }

  /**
   * Returns the content of an object, or nothing if there is none of that key.
   *
   * @param expected the length that it is likely to have, for the time limit
   */
  Optional<byte[]> get(String what, String key, long expected) throws IOException {
    try {
      return Optional.of(
          send(
              () ->
                  client
                      .getObjectAsBytes(
                          get ->
                              get.bucket(store.bucket())
                                  .key(store.prefix() + key)
                                  .overrideConfiguration(within(expected)))
                      .asByteArrayUnsafe()));
    } catch (NoSuchKeyException absent) {
      return Optional.empty();
    } catch (RuntimeException cause) {
      throw failure.explain(what, cause);
    }
  }

  /** Lists the objects whose keys begin with a folder. */
  List<Listed> list(String what, String folder) throws IOException {
    List<Listed> found = new ArrayList<>();
    var begin = store.prefix() + folder;
    try {
      String from = null;
      do {
        var token = from;
        var page =
            send(
                () ->
                    client.listObjectsV2(
                        list ->
                            list.bucket(store.bucket())
                                .prefix(begin)
                                .continuationToken(token)
                                .overrideConfiguration(within(0))));
        page.contents()
            .forEach(
                each ->
                    found.add(
                        new Listed(
                            each.key().substring(begin.length()),
                            each.size(),
                            each.lastModified())));
        from = Boolean.TRUE.equals(page.isTruncated()) ? page.nextContinuationToken() : null;
      } while (from != null);
    } catch (RuntimeException cause) {
      throw failure.explain(what, cause);
    }
    return found;
  }

  /** Deletes objects, some of which may be absent; several at the same time. */
  void delete(String what, Collection<String> keys) throws IOException {
    var permits = new Semaphore(AT_ONCE);
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (var key : keys) {
      permits.acquireUninterruptibly();
      all.add(
          start(
              () -> {
                try {
                  return client.deleteObject(
                      delete ->
                          delete
                              .bucket(store.bucket())
                              .key(store.prefix() + key)
                              .overrideConfiguration(within(0)));
                } finally {
                  permits.release();
                }
              }));
    }
    try {
      for (var each : all) {
        result(each);
      }
    } catch (RuntimeException cause) {
      throw failure.explain(what, cause);
    }
  }

  /** Returns the error for a server that has no conditional puts. */
  IOException withoutConditions() {
    return failure.withoutConditions(null);
  }

  private <T> T send(Request<T> request) {
    return result(start(request));
  }

  private static <T> CompletableFuture<T> start(Request<T> request) {
    var answer = new CompletableFuture<T>();
    Thread.ofVirtual()
        .name("troupe-s3")
        .start(
            () -> {
              try {
                answer.complete(request.send());
              } catch (RuntimeException | Error cause) {
                answer.completeExceptionally(cause);
              }
            });
    return answer;
  }

  private static <T> T result(CompletableFuture<T> answer) {
    try {
      return answer.join();
    } catch (CompletionException failed) {
      switch (failed.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw failed;
      }
    }
  }

  private Consumer<AwsRequestOverrideConfiguration.Builder> within(long bytes) {
    var attempt = limits.attempt().plusSeconds(bytes / limits.bytesPerSecond());
    return options ->
        options.apiCallAttemptTimeout(attempt).apiCallTimeout(attempt.multipliedBy(ATTEMPTS));
  }

  private static RequestBody body(ObjectContent content) {
    return RequestBody.fromContentProvider(
        content::stream, content.length(), "application/octet-stream");
  }

  @Override
  public void close() {
    client.close();
  }

  @Override
  public String toString() {
    return store.toString();
  }
}
