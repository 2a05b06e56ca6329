/** A store of active objects in a bucket of an S3-compatible object store. */
@SuppressWarnings("module") // S3 is the name of the service
module org.troupe.store.s3 {
  requires static transitive org.jspecify;
  requires transitive org.troupe.activeobjects;
  requires software.amazon.awssdk.auth;
  requires software.amazon.awssdk.awscore;
  requires software.amazon.awssdk.core;
  requires software.amazon.awssdk.http;
  requires software.amazon.awssdk.http.urlconnection;
  requires software.amazon.awssdk.regions;
  requires software.amazon.awssdk.retries;
  requires software.amazon.awssdk.services.s3;

  exports org.troupe.store.s3;

  // A store travels with the options of an object.
  opens org.troupe.store.s3 to
      org.troupe.serialization;
}
