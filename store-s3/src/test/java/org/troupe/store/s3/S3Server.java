package org.troupe.store.s3;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.blobstore.domain.MultipartUpload;
import org.gaul.s3proxy.nio2blob.TransientNio2BlobStore;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** An S3 server in this JVM, with one bucket in memory, whose faults a test chooses. */
final class S3Server implements AutoCloseable {

  static final String BUCKET = "grid";
  static final String KEY_ID = "AKIATESTSOFTROUPE";
  static final String SECRET = "the-secret-of-the-tests";
  static final Bucket.Limits LIMITS =
      new Bucket.Limits(
          Duration.ofSeconds(20), Duration.ofSeconds(60), 256 << 10, 6 << 20, 5 << 20);

  final Objects objects = new Objects();
  private final S3Proxy server;

  /** Whether the server supports conditional puts. */
  enum Conditions {
    SUPPORTED,
    IGNORED,
    REFUSED
  }

  /** The objects in the bucket, and faults of the requests for them. */
  static final class Objects extends ForwardingBlobStore {
    volatile Predicate<String> refusesPuts = key -> false;
    volatile Predicate<String> losesAnswers = key -> false;
    volatile Predicate<String> refusesDeletions = key -> false;
    volatile Conditions conditions = Conditions.SUPPORTED;
    volatile Duration age = Duration.ZERO;
    volatile Predicate<String> isAged = key -> false;
    private volatile String listedFolder;
    private volatile boolean isListLate;
    private volatile String keyToPut;
    private volatile Callable<?> meanwhile;
    final AtomicInteger puts = new AtomicInteger();
    final AtomicInteger uploads = new AtomicInteger();

    Objects() {
      super(new TransientNio2BlobStore());
      createContainer(CreateBucketRequest.builder().bucket(BUCKET).build());
    }

    private static S3Exception failure(int status, String code) {
      return (S3Exception)
          S3Exception.builder()
              .statusCode(status)
              .awsErrorDetails(
                  AwsErrorDetails.builder().errorCode(code).errorMessage("a fault").build())
              .build();
    }

    @Override
    public PutObjectResponse putBlob(PutObjectRequest request, InputStream payload) {
      if (request.key().equals(keyToPut)) {
        keyToPut = null;
        call(meanwhile);
      }
      if (refusesPuts.test(request.key())) {
        throw failure(500, "InternalError");
      }
      if (request.ifNoneMatch() != null && conditions == Conditions.REFUSED) {
        throw failure(501, "NotImplemented");
      }
      var kept =
          conditions == Conditions.IGNORED
              ? request.toBuilder().ifNoneMatch(null).build()
              : request;
      var answer = super.putBlob(kept, payload);
      puts.incrementAndGet();
      if (losesAnswers.test(request.key())) {
        throw failure(500, "InternalError");
      }
      return answer;
    }

    @Override
    public UploadPartResponse uploadMultipartPart(
        MultipartUpload upload, UploadPartRequest request, InputStream payload) {
      uploads.incrementAndGet();
      return super.uploadMultipartPart(upload, request, payload);
    }

    @Override
    public void removeBlob(String container, String name) {
      if (refusesDeletions.test(name)) {
        throw failure(500, "InternalError");
      }
      super.removeBlob(container, name);
    }

    @Override
    public DeleteObjectResponse removeBlob(DeleteObjectRequest request) {
      if (refusesDeletions.test(request.key())) {
        throw failure(500, "InternalError");
      }
      return super.removeBlob(request);
    }

    @Override
    public DeleteObjectResponse removeBlob(String container, String name, String versionId) {
      if (refusesDeletions.test(name)) {
        throw failure(500, "InternalError");
      }
      return super.removeBlob(container, name, versionId);
    }

    @Override
    public ListObjectsV2Response list(ListObjectsV2Request request) {
      var listed = super.list(request);
      if (String.valueOf(request.prefix()).equals(listedFolder)) {
        listedFolder = null;
        call(meanwhile);
      }
      return listed.toBuilder()
          .contents(
              listed.contents().stream()
                  .filter(each -> !isListLate || super.blobExists(BUCKET, each.key()))
                  .map(
                      each ->
                          isAged.test(each.key())
                              ? each.toBuilder()
                                  .lastModified(each.lastModified().minus(age))
                                  .build()
                              : each)
                  .toList())
          .build();
    }

    /** Lets something happen after a folder was listed, and before the list is answered. */
    void afterList(String folder, Callable<?> what) {
      isListLate = false;
      meanwhile = what;
      listedFolder = folder;
    }

    /** Lets something happen while a folder is listed: what it deletes is not in the list. */
    void duringList(String folder, Callable<?> what) {
      isListLate = true;
      meanwhile = what;
      listedFolder = folder;
    }

    /** Lets something happen before an object is put. */
    void beforePut(String key, Callable<?> what) {
      meanwhile = what;
      keyToPut = key;
    }

    private static void call(Callable<?> what) {
      try {
        what.call();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    List<String> keys(String prefix) {
      return super.list(
              ListObjectsV2Request.builder().bucket(BUCKET).prefix(prefix).maxKeys(1000).build())
          .contents()
          .stream()
          .map(each -> each.key())
          .toList();
    }

    byte[] content(String key) {
      try (var found = super.getBlob(BUCKET, key)) {
        return found.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    void replace(String key, byte[] content) {
      super.putBlob(
          PutObjectRequest.builder()
              .bucket(BUCKET)
              .key(key)
              .contentLength((long) content.length)
              .build(),
          new ByteArrayInputStream(content));
    }

    void remove(String key) {
      super.removeBlob(BUCKET, key);
    }
  }

  private S3Server() {
    this.server =
        S3Proxy.builder()
            .blobStore(objects)
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, KEY_ID, SECRET)
            .stopTimeout(0)
            .build();
  }

  static S3Server start() {
    var server = new S3Server();
    try {
      server.server.start();
    } catch (Exception e) {
      throw new IllegalStateException("the S3 server of the tests did not start", e);
    }
    return server;
  }

  URI endpoint() {
    return URI.create("http://127.0.0.1:" + server.getPort());
  }

  S3Store store() {
    return S3Store.of(BUCKET).withEndpoint(endpoint());
  }

  static AwsCredentialsProvider credentials() {
    return StaticCredentialsProvider.create(AwsBasicCredentials.create(KEY_ID, SECRET));
  }

  Bucket bucket(S3Store store) throws IOException {
    return Bucket.open(store, credentials(), LIMITS);
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) {
      throw new IllegalStateException("the S3 server of the tests did not stop", e);
    }
  }
}
