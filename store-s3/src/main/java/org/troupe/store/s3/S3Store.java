package org.troupe.store.s3;

import java.io.IOException;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.Store;
import org.troupe.activeobjects.store.Journals;
import org.troupe.activeobjects.store.StoreUser;

/**
 * A store in a bucket of Amazon S3, or of a server with its interface: records and images are
 * stable when the server has confirmed their put. Records are gathered for at most 20 ms, or 1 MiB.
 * Immutable; travels to other nodes.
 *
 * <p>Each process finds its credentials itself, where all programs for S3 do: in the environment
 * variables {@code AWS_ACCESS_KEY_ID} and {@code AWS_SECRET_ACCESS_KEY}, in the profiles of {@code
 * ~/.aws}, or from its machine or container. A store has none, so none travels.
 *
 * <p>The server must be strongly consistent, as Amazon's is. It must support puts with {@code
 * If-None-Match: *}, or it is refused when the store is opened. A run that was killed holds the
 * store until a minute has passed without a sign of it.
 *
 * @param bucket the bucket, which must exist
 * @param prefix begins the keys of all objects of the store
 * @param region the region of the bucket; {@code null} for that of the environment or the profile
 * @param endpoint the server; {@code null} for Amazon's
 */
public record S3Store(String bucket, String prefix, @Nullable String region, @Nullable URI endpoint)
    implements Store {

  /** Checks the names, and that the endpoint is the plain address of a server. */
  public S3Store {
    if (!bucket.matches("[A-Za-z0-9][A-Za-z0-9._-]{2,254}")) {
      throw new IllegalArgumentException(
          "a bucket cannot be named '"
              + bucket
              + "'; give at least 3 letters, digits, '.', '-' and '_', a letter or a digit first");
    }
    if (!prefix.matches("([A-Za-z0-9_][A-Za-z0-9_.=/-]{0,199})?") || prefix.contains("//")) {
      throw new IllegalArgumentException(
          "keys cannot begin with '"
              + prefix
              + "'; give at most 200 letters, digits, '_', '.', '=', '-' and single '/', a letter or a digit first");
    }
    if (region != null && !region.matches("[a-z0-9][a-z0-9-]{0,62}")) {
      throw new IllegalArgumentException(
          "'" + region + "' is no region; give one as in 'eu-central-1'");
    }
    if (endpoint != null && !isAddress(endpoint)) {
      throw new IllegalArgumentException(
          "the endpoint %s is not the address of a server; give it as in 'https://host:9000', without user, path and query"
              .formatted(withoutUser(endpoint)));
    }
  }

  /** Returns the store in a bucket of Amazon S3, whose keys begin with {@code troupe/}. */
  public static S3Store of(String bucket) {
    return new S3Store(bucket, "troupe/", null, null);
  }

  /** Returns this store with keys that begin otherwise, so that several may share a bucket. */
  public S3Store withPrefix(String other) {
    return new S3Store(bucket, other, region, endpoint);
  }

  /** Returns this store in a region that does not depend on the environment of each process. */
  public S3Store withRegion(String other) {
    return new S3Store(bucket, prefix, other, endpoint);
  }

  /**
   * Returns this store on another server than Amazon's, which is asked for {@code
   * <endpoint>/<bucket>/<key>}. If no region is given, requests name {@code us-east-1}, which such
   * servers usually ignore. Over {@code http} the content travels unencrypted.
   */
  public S3Store withEndpoint(URI other) {
    return new S3Store(bucket, prefix, region, other);
  }

  private static boolean isAddress(URI uri) {
    return ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
        && uri.getHost() != null
        && uri.getRawUserInfo() == null
        && (uri.getRawPath() == null || uri.getRawPath().matches("/?"))
        && uri.getRawQuery() == null
        && uri.getRawFragment() == null;
  }

  /** Returns the part of an address that may be shown: user information may be a password. */
  private static String withoutUser(URI uri) {
    return uri.toString().replaceFirst("//[^/@]*@", "//").replaceFirst("[?#].*", "");
  }

  @Override
  public Journals open(StoreUser user) throws IOException {
    return S3Journals.open(Bucket.open(this), user);
  }

  @Override
  public String toString() {
    return "s3://" + bucket + "/" + prefix + (endpoint == null ? "" : " at " + endpoint);
  }
}
