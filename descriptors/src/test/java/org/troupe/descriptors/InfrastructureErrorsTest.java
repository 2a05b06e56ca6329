package org.troupe.descriptors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.troupe.descriptors.Descriptors.example;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each error in the infrastructure of other machines, in a descriptor that is otherwise right. */
class InfrastructureErrorsTest {

  private static final String RIGHT = example("everywhere.xml");

  @TempDir private Path folder;

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Types.
        "port=\"2222\" | port=\"65536\" | 28:49: attribute 'port' is '65536', which is not a port, from 1 to 65535; write one, such as '22'",
        "port=\"2222\" | port=\"ssh\" | 28:49: attribute 'port' is 'ssh', which is not a port, from 1 to 65535; write one, such as '22'",
        "\"gate.example.org\" | \"me@gate\" | 28:25: attribute 'host' is 'me@gate', which is not a host; write its name or address, without user and port, which have attributes of their own",
        "\"gate.example.org\" | \"-oProxyCommand=x\" | 28:25: attribute 'host' is '-oProxyCommand=x', which is not a host; write its name or address, without user and port, which have attributes of their own",
        "\"me@alpha\" | \"me too\" | 31:41: attribute 'user' is 'me too', which is not a word; write it without spaces, and do not start it with '-'",
        "\"keys/alpha\" | \"~bob/key\" | 31:57: attribute 'identity' is '~bob/key', which is not a path; name a file or folder, where '~/' is your home",
        "\"strict\" | \"no\" | 31:79: attribute 'hostKeys' is 'no', which is not 'strict' or 'acceptNew'; write one of them",
        "10.77.1.0/24 | 10.77.1.0 | 33:25: attribute 'networks' is '10.77.1.0 2001:db8::/32', which is not a list of networks; write address/bits with spaces between them, such as '10.1.0.0/16 192.168.7.0/24'",
        "10.77.1.0/24 | 10.77.1.0/33 | 33:25: attribute 'networks' is '10.77.1.0/33 2001:db8::/32', which is not a list of networks; write address/bits with spaces between them, such as '10.1.0.0/16 192.168.7.0/24'",
        "10.77.1.0/24 | 10.77.300.0/24 | 33:25: attribute 'networks' is '10.77.300.0/24 2001:db8::/32', which is not a list of networks; write address/bits with spaces between them, such as '10.1.0.0/16 192.168.7.0/24'",
        "10.77.1.0/24 | 10.77/16 | 33:25: attribute 'networks' is '10.77/16 2001:db8::/32', which is not a list of networks; write address/bits with spaces between them, such as '10.1.0.0/16 192.168.7.0/24'",
        "reachable=\"false\" | reachable=\"no\" | 33:63: attribute 'reachable' is 'no', which is not 'true' or 'false'; write one of them",
        "default=\"true\" | default=\"yes\" | 34:46: attribute 'sharedFiles' is 'yes' (written '${isShared}'), which is not 'true' or 'false'; write one of them",
        "memory=\"2g\" | memory=\"2048\" | 22:82: attribute 'memory' is '2048', which is not an amount of memory with its unit; write one, such as '512m' or '2g'",
        "memory=\"2g\" | memory=\"2 GB\" | 22:82: attribute 'memory' is '2 GB', which is not an amount of memory with its unit; write one, such as '512m' or '2g'",
        "\"00:30:00\" | \"30\" | 23:12: attribute 'wallTime' is '30', which is not a time; write one as hours:minutes:seconds or with its unit, such as '01:30:00', '90m' or '2h'",
        "\"00:30:00\" | \"00:00:00\" | 23:12: attribute 'wallTime' is '00:00:00', which is not a time; write one as hours:minutes:seconds or with its unit, such as '01:30:00', '90m' or '2h'",
        "\"00:30:00\" | \"00:90:00\" | 23:12: attribute 'wallTime' is '00:90:00', which is not a time; write one as hours:minutes:seconds or with its unit, such as '01:30:00', '90m' or '2h'",
        "cpus=\"4\" | cpus=\"all\" | 22:73: attribute 'cpus' is 'all', which is not a whole number from 1 to 10000; write one, such as '4'",
        "queue=\"main\" | queue=\"--main\" | 23:32: attribute 'queue' is '--main', which is not a word; write it without spaces, and do not start it with '-'",
        "~/runs/today | ~bob/runs | 24:12: attribute 'workingDirectory' is '~bob/runs', which is not a path; name a folder on those machines, where '~/' is your home there",
        "--exclusive | `` | 25:7: element 'option' is '', which is not an argument; write one for the batch system, such as '--exclusive'",
        "-l nodes=%d | -l nodes=4 | 45:60: attribute 'nodesOption' is '-l nodes=4', which is not an option for a number of machines; write %d for the number, such as '-l nodes=%d'",
        "via=\"gateway inner\" | via=\"gateway, inner\" | 40:53: attribute 'via' is 'gateway, inner', which is not a list of names; write one or several with spaces between them, such as 'gateway frontEnd'",
        "node[08-11] | node[08- | 38:21: attribute 'hosts' is 'node[08- other-[1,3,5-7]b                            delta-1 2001:db8::7', which is not a list of hosts; write names with spaces between them, such as 'alpha-1 node[01-16] rack[1-2]-[1,3,5-7]'",
        // Structure.
        "<login id=\"inner\" host=\"10.0.0.7\" | <login id=\"inner\" | 30:5: 'login' lacks the attribute 'host'; add host=\"...\"",
        "<drmaa id=\"anyJob\" | <drmaa id=\"anyJob\" queue=\"x\" | 45:24: attribute 'queue' is unknown in 'drmaa'; DRMAA does not define it: request it by an <option> in the batch system's syntax",
        "parallelEnvironment=\"mpi\" | paralelEnvironment=\"mpi\" | 44:17: attribute 'paralelEnvironment' is unknown in 'gridEngine'; did you mean 'parallelEnvironment'?",
        "</infrastructure> | <torque/></infrastructure> | 50:3: element 'torque' is unknown in 'infrastructure'; choose from 'login', 'cluster', 'jvm', 'local', 'ssh', 'slurm', 'pbs', 'gridEngine', ...",
        // References.
        "to=\"hosts\" | to=\"inner\" | 14:32: virtual node 'solvers' is mapped to 'inner', a 'login', which says how to reach a machine, not how many JVMs to start there; choose from 'alphaJob', 'hosts', 'betaJob', 'gammaJob', 'anyJob', 'here'",
        "to=\"hosts\" | to=\"alpha\" | 14:32: virtual node 'solvers' is mapped to 'alpha', a 'cluster', which says what nodes have in common, not where they are; did you mean 'alphaJob'?",
        "via=\"alphaFe\" | via=\"alphaFE2\" | 22:26: 'alphaJob' names login 'alphaFE2', which is not declared; did you mean 'alphaFe'?",
        "via=\"alphaFe\" | via=\"hosts\" | 22:26: 'alphaJob' names login 'hosts', which is an 'ssh', not a 'login'; choose from 'gateway', 'inner', 'alphaFe'",
        "<local id=\"here\" cluster=\"alpha\" | <local id=\"here\" cluster=\"big\" | 49:22: 'here' names cluster 'big', which is a 'jvm', not a 'cluster'; choose from 'alpha'",
        "via=\"gateway inner\" | via=\"gateway unknown\" | 40:53: 'hosts' names login 'unknown', which is not declared; choose from 'gateway', 'inner', 'alphaFe'",
        "host=\"gate.example.org\" | host=\"gate.example.org\" via=\"alphaFe\" | 28:49: 'gateway' goes through itself: gateway -> alphaFe -> inner -> gateway; name only machines that come before it",
        "host=\"10.0.0.7\" via=\"gateway\" | host=\"10.0.0.7\" via=\"inner\" | 30:39: 'inner' goes through itself: inner -> inner; name only machines that come before it",
        "via=\"gateway inner\" | via=\"inner gateway\" | 40:53: 'hosts' goes through 'gateway' twice: inner, gateway; name only machines that come before it",
        "/usr/lib/jvm/25 | jdk-25 | 34:19: attribute 'javaHome' is 'jdk-25', which does not say where that is on the machines of 'alphaJob'; write the whole path on those machines, from '/', or leave it out",
        // Machines.
        "delta-1 | node10 | 38:21: host 'node10' is in the list more than once; name it once, and raise 'jvms' if more than one JVM is meant",
        "node[08-11] | node[11-08] | 38:21: range '11-08' in 'node[11-08]' ends before it begins; write '08-11'",
        "node[08-11] | node[1-10001] | 38:21: 'node[1-10001]' brings it to more than 10000 hosts; shorten its ranges, or spread them over several elements",
        "node[08-11] | a[1-5000] b[0-999]-[0-999] | 38:21: 'b[0-999]-[0-999]' brings it to more than 10000 hosts; shorten its ranges, or spread them over several elements",
        "node[08-11] | node[1-9900] | 39:49: 9907 hosts with 2 JVMs each are more than 10000 JVMs; ask for fewer, or spread them over several elements",
        "nodes=\"3\" | nodes=\"1001\" jvmsPerNode=\"10\" | 42:50: 1001 machines with 10 JVMs each are more than 10000 JVMs; ask for fewer, or spread them over several elements",
        "parallelEnvironment=\"mpi\" | `` | 43:31: more than one machine needs the attribute 'parallelEnvironment'; name one that 'qconf -spl' lists",
        " nodesOption=\"-l nodes=%d\" | `` | 45:50: more than one machine needs the attribute 'nodesOption'; write one such as '-l nodes=%d'",
      })
  void pointsAt(String right, String wrong, String error) {
    assertThat(RIGHT).contains(right);
    String text = RIGHT.replace(right, wrong);

    assertThat(Descriptors.errors(folder, text, Map.of())).containsExactly("grid.xml:" + error);
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "<option>--exclusive</option> | <option>-l feature=x</option> | 25:15: element 'option' is '-l feature=x', which the batch system takes as one argument; write an <option> for each, if these are two",
        "~/runs/today | /scratch/$USER | 24:12: attribute 'workingDirectory' is '/scratch/$USER', and no shell looks at it there; write a path without '$', where '~/' is your home there",
        "</infrastructure> | <login id=\"spare\" host=\"h\"/></infrastructure> | 50:3: login 'spare' is used by nothing; name it with via=\"spare\", or remove it",
        "</infrastructure> | <cluster id=\"spare\"/></infrastructure> | 50:3: cluster 'spare' is used by nothing; name it with cluster=\"spare\", or remove it",
      })
  void warnsOf(String right, String doubtful, String warning) {
    assertThat(Descriptors.warnings(folder, RIGHT.replace(right, doubtful), Map.of()))
        .containsExactly("grid.xml:" + warning);
  }

  @Test
  void readsListsOfAnyLength() {
    assertThat(error("x".repeat(300) + " " + "y,".repeat(200_000))).contains("not a list of hosts");
    assertThat(error("[1]".repeat(300_000))).contains("is longer than any host's name");
    assertThat(error("h ".repeat(300_000))).contains("brings it to more than 10000 hosts");
  }

  @Test
  void boundsAChainOfGateways() {
    StringBuilder logins = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      String via = i == 0 ? "" : " via='m" + (i - 1) + "'";
      logins.append("<login id='m" + i + "' host='m" + i + "'" + via + "/>");
    }

    String text = RIGHT.replace("via=\"gateway inner\"", "via=\"m11\"");
    assertThat(
            Descriptors.errors(
                folder, text.replace("</infrastructure>", logins + "</infrastructure>"), Map.of()))
        .hasSize(2)
        .first()
        .asString()
        .contains("40:53: 'hosts' goes through more than 10 machines; name");
  }

  private String error(String hosts) {
    String text = RIGHT.replaceFirst("node\\[08-11][^\"]*", hosts);
    List<String> errors = Descriptors.errors(folder, text, Map.of());
    assertThat(errors).hasSize(1);
    return errors.getFirst();
  }
}
