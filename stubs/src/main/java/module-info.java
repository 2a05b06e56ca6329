/** Makes, at run time, a class whose every call goes to one handler. */
module org.troupe.stubs {
  requires static transitive org.jspecify;
  requires jdk.unsupported; // instances without a constructor

  exports org.troupe.stubs;
}
