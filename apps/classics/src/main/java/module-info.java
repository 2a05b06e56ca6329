/** The programs by which the ancestors were judged; each has a package of its own. */
module org.troupe.classics {
  requires info.picocli;
  requires java.net.http;
  requires jdk.httpserver;
  requires org.troupe.deployment;
  requires org.troupe.groups;
  requires org.troupe.serialization;
  requires tools.jackson.databind;

  // Programs are commands, their parts are active objects, and what these say goes into reports.
  opens org.troupe.classics to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs,
      tools.jackson.databind;
  opens org.troupe.classics.alltoall to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.asp to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.barneshut to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.cg to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.fft to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.lu to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.pingpong to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.radix to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.sor to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.superoptimizer to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.water to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
  opens org.troupe.classics.webserver to
      info.picocli,
      org.troupe.activeobjects,
      org.troupe.serialization,
      org.troupe.stubs;
}
