package org.troupe.descriptors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.troupe.descriptors.Descriptors.ENVIRONMENT;
import static org.troupe.descriptors.Descriptors.example;
import static org.troupe.descriptors.Descriptors.write;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.troupe.descriptors.read.DescriptorReader;

/** Each error in a descriptor that is otherwise right, then many at once. */
class DescriptorErrorsTest {

  private static final String RIGHT =
      """
      <troupe xmlns="urn:troupe:descriptor:1">
        <variables>
          <variable name="n" default="2"/>
        </variables>
        <virtualNodes>
          <virtualNode name="solvers"/>
        </virtualNodes>
        <mapping>
          <map virtualNode="solvers" to="here"/>
        </mapping>
        <infrastructure>
          <jvm id="big" javaHome="/opt/jdk">
            <option>-Xmx2g</option>
            <environment name="A" value="1"/>
            <property name="p" value="1"/>
          </jvm>
          <local id="here" jvms="${n}" jvm="big"/>
        </infrastructure>
      </troupe>
      """;

  @TempDir private Path folder;

  @Test
  void findsNothingWrongWithARightOne() {
    assertThat(errors(RIGHT)).isEmpty();
    assertThat(Descriptors.warnings(folder, RIGHT, Map.of())).isEmpty();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Structure.
        "<jvm id=\"big\" | <jvm idd=\"big\" | 12:10: attribute 'idd' is unknown in 'jvm'; did you mean 'id'?",
        "jvms=\"${n}\" | jvms=\"${n}\" colour=\"red\" | 17:34: attribute 'colour' is unknown in 'local'; choose from 'id', 'jvms', 'jvm', 'cluster', 'workingDirectory'",
        "<local | <lokal | 17:5: element 'lokal' is unknown in 'infrastructure'; did you mean 'local'?",
        "<property name=\"p\" value=\"1\"/> | <slurm/> | 15:7: element 'slurm' is unknown in 'jvm'; choose from 'option', 'classPath', 'environment', 'property'",
        "-Xmx2g | -Xmx2g<b/> | 13:21: element 'b' is unknown in 'option'; remove it",
        "<variable name=\"n\" | <x:variable xmlns:x=\"urn:x\" name=\"n\" | 3:5: element 'x:variable' is unknown in 'variables'; did you mean 'variable'?",
        "id=\"here\" | ID=\"here\" | 17:12: attribute 'ID' is unknown in 'local'; did you mean 'id'?",
        "<virtualNode name | <virtualNode xmlns=\"urn:x\" name | 6:5: element '{urn:x}virtualNode' is unknown in 'virtualNodes'; did you mean 'virtualNode'?",
        " value=\"1\"/> | /> | 14:7: 'environment' lacks the attribute 'value'; add value=\"...\"",
        "</mapping> | </mapping><mapping><map virtualNode=\"solvers\" to=\"big2\"/></mapping> | 10:13: there is a 'mapping' already, in line 8; make them one",
        "<mapping> | <mapping>hello | 8:12: text 'hello' has no meaning in 'mapping'; remove it, or make it a comment: <!-- ... -->",
        // Types.
        "\"${n}\" | \"two\" | 17:22: attribute 'jvms' is 'two', which is not a whole number from 1 to 10000; write one, such as '4'",
        "\"${n}\" | \"0\" | 17:22: attribute 'jvms' is '0', which is not a whole number from 1 to 10000; write one, such as '4'",
        "\"${n}\" | \"-1\" | 17:22: attribute 'jvms' is '-1', which is not a whole number from 1 to 10000; write one, such as '4'",
        "\"${n}\" | \"99999999999\" | 17:22: attribute 'jvms' is '99999999999', which is not a whole number from 1 to 10000; write one, such as '4'",
        "\"${n}\" | \"1.5\" | 17:22: attribute 'jvms' is '1.5', which is not a whole number from 1 to 10000; write one, such as '4'",
        "default=\"2\" | default=\"two\" | 17:22: attribute 'jvms' is 'two' (written '${n}'), which is not a whole number from 1 to 10000; write one, such as '4'",
        "default=\"2\" | default=\"2\" required=\"maybe\" | 3:36: attribute 'required' is 'maybe', which is not 'true' or 'false'; write one of them",
        "</variables> | <variable name=\"n n\" default=\"1\"/></variables> | 4:13: attribute 'name' is 'n n', which is not a name of a variable; use letters, digits, '_' and '-', and start with a letter",
        "name=\"A\" | name=\"A-B\" | 14:20: attribute 'name' is 'A-B', which is not a name of an environment variable; use letters, digits and '_', and start with a letter",
        "name=\"p\" | name=\"p=1\" | 15:17: attribute 'name' is 'p=1', which is not a name of a system property; write it without spaces and without '='",
        "/opt/jdk | `` | 12:19: attribute 'javaHome' is '', which is not a path; name a file or folder, where '~/' is your home",
        "-Xmx2g | Xmx2g | 13:15: element 'option' is 'Xmx2g', which is not an option of 'java'; start it with '-', and name jars and folders as <classPath>",
        "-Xmx2g | `` | 13:7: element 'option' is '', which is not an option of 'java'; start it with '-', and name jars and folders as <classPath>",
        // References.
        "to=\"here\" | to=\"heer\" | 9:32: virtual node 'solvers' is mapped to 'heer', which is not declared; did you mean 'here'?",
        "to=\"here\" | to=\"elsewhere\" | 9:32: virtual node 'solvers' is mapped to 'elsewhere', which is not declared; choose from 'here'",
        "to=\"here\" | to=\"big\" | 9:32: virtual node 'solvers' is mapped to 'big', a 'jvm', which says how to start JVMs, not where; choose from 'here'",
        "virtualNode=\"solvers\" | virtualNode=\"solver\" | 9:10: virtual node 'solver' is mapped, but not declared; did you mean 'solvers'?",
        "jvm=\"big\" | jvm=\"bgi\" | 17:34: 'here' names jvm 'bgi', which is not declared; did you mean 'big'?",
        "jvm=\"big\" | jvm=\"here\" | 17:34: 'here' names jvm 'here', which is a 'local', not a 'jvm'; choose from 'big'",
        "</virtualNodes> | <virtualNode name=\"idle\"/></virtualNodes> | 7:3: virtual node 'idle' is mapped to nothing, so it would never have a node; add <map virtualNode=\"idle\" to=\"here\"/>",
        "</virtualNodes> | <virtualNode name=\"solvers\"/></virtualNodes> | 7:16: virtual node 'solvers' is declared already, in line 6; give this one another name",
        "</infrastructure> | <local id=\"here\"/></infrastructure> | 18:10: id 'here' is declared already, in line 17; give this one another name",
        "</infrastructure> | <local id=\"big\"/></infrastructure> | 18:10: id 'big' is declared already, in line 12; give this one another name",
        "</mapping> | <map to=\"here\" virtualNode=\"solvers\"/></mapping> | 10:3: virtual node 'solvers' is mapped to 'here' already, in line 9; remove one of them",
        "</jvm> | <environment name=\"A\" value=\"2\"/></jvm> | 16:18: environment variable 'A' is declared already, in line 14; give this one another name",
        "</jvm> | <property name=\"p\" value=\"2\"/></jvm> | 16:15: system property 'p' is declared already, in line 15; give this one another name",
        // Variables.
        "${n} | ${m} | 17:22: variable 'm' is not declared; declare it: <variable name=\"m\"/>",
        "${n} | ${nodes} | 17:22: variable 'nodes' is not declared; declare it: <variable name=\"nodes\"/>",
        "${n} | ${n | 17:22: '${' in '${n' is never closed; write ${name}, or $${ for the characters themselves",
        "${n} | ${} | 17:22: '${}' names no variable; write ${name} or ${env.NAME}, or $${ for the characters themselves",
        "${n} | ${n n} | 17:22: '${n n}' names no variable; write ${name} or ${env.NAME}, or $${ for the characters themselves",
        "${n} | ${env.SCRTCH} | 17:22: environment variable 'SCRTCH' is not set; did you mean 'SCRATCH'?",
        "${n} | ${env.JVMS_PER_HOST} | 17:22: environment variable 'JVMS_PER_HOST' is not set; set it, or give -D env.JVMS_PER_HOST=...",
        "-Xmx2g | -Dx=${m} | 13:15: variable 'm' is not declared; declare it: <variable name=\"m\"/>",
        "default=\"2\" | `` | 3:5: variable 'n' has no value; give it one with -D n=..., or add default=\"...\"",
        "default=\"2\" | required=\"true\" | 3:5: variable 'n' has no value; give it one with -D n=...",
        "default=\"2\" | required=\"true\" environment=\"N\" | 3:5: variable 'n' has no value; give it one with -D n=..., or set the environment variable N",
        "default=\"2\" | default=\"2\" required=\"true\" | 3:24: variable 'n' is required, so its default is never used; remove one of the two",
        "default=\"2\" | default=\"${n}\" | 3:24: variable 'n' is defined by itself: n -> n; give one of them a value of its own",
        "default=\"2\"/> | default=\"2\"/><variable name=\"n\"/> | 3:47: variable 'n' is declared already, in line 3; remove one of them, or give it another name",
      })
  void pointsAt(String right, String wrong, String error) {
    assertThat(RIGHT).contains(right);
    String text = RIGHT.substring(0, RIGHT.indexOf(right)) + wrong + rest(right);

    assertThat(errors(text)).contains("grid.xml:" + error);
    // One slip is one problem; only a second mapping also brings its own.
    assertThat(errors(text)).hasSize(wrong.contains("big2") ? 2 : 1);
  }

  private static String rest(String right) {
    return RIGHT.substring(RIGHT.indexOf(right) + right.length());
  }

  @Test
  void pointsAtACycleOfVariables() {
    String text =
        RIGHT.replace(
            "default=\"2\"/>",
            "default=\"${a}\"/><variable name=\"a\" default=\"${b}\"/><variable name=\"b\" default=\"${a}\"/>");

    assertThat(errors(text))
        .containsExactly(
            "grid.xml:3:94: variable 'a' is defined by itself: a -> b -> a; give one of them a value of its own");
  }

  @Test
  void pointsAtWhatIsMissingOrEmpty() {
    assertThat(errors("<troupe xmlns='urn:troupe:descriptor:1'><mapping/></troupe>"))
        .containsExactly(
            "grid.xml:1:1: 'troupe' lacks the element 'virtualNodes'; add <virtualNodes><virtualNode name=\"workers\"/></virtualNodes>",
            "grid.xml:1:1: 'troupe' lacks the element 'infrastructure'; add <infrastructure><local id=\"here\" jvms=\"2\"/></infrastructure>",
            "grid.xml:1:41: 'mapping' is empty; add <map virtualNode=\"workers\" to=\"here\"/>");
  }

  @Test
  void saysWhichVariablesOfTheCommandLineAreUnknown() {
    assertThat(Descriptors.errors(folder, RIGHT, Map.of("N", "3", "scratch", "/tmp")))
        .containsExactly(
            "grid.xml: variable 'N' has a value on the command line, but is not declared; did you mean 'n'?",
            "grid.xml: variable 'scratch' has a value on the command line, but is not declared; declare it with <variable name=\"...\"/>, or leave it out");
  }

  @Test
  void quotesOnOneLine() {
    String text = RIGHT.replace("${n}", "${n}&#10;" + "x".repeat(100));

    assertThat(errors(text))
        .containsExactly(
            "grid.xml:17:22: attribute 'jvms' is '2\\n"
                + "x".repeat(78)
                + "...' (written '${n}\\n"
                + "x".repeat(75)
                + "...'), which is not a whole number from 1 to 10000; write one, such as '4'");
  }

  @Test
  void reportsEverythingAtOnceFromTopToBottom() {
    Path file = write(folder, example("wrong.xml"));

    List<String> errors =
        Descriptors.errors(
            folder, () -> DescriptorReader.read(file, Map.of("jvm", "1"), ENVIRONMENT));

    assertThat(errors).containsExactlyElementsOf(example("wrong.txt").lines().toList());
    DescriptorException thrown =
        catchThrowableOfType(
            DescriptorException.class, () -> DescriptorReader.read(file, Map.of(), ENVIRONMENT));
    assertThat(thrown.problems()).extracting(SourceProblem::place).isSorted();
  }

  @Test
  void givesUpAfterAThousand() {
    String text = RIGHT.replace("<mapping>", "<mapping>" + "<mop/>".repeat(5000));

    assertThat(errors(text))
        .hasSize(1001)
        .startsWith("grid.xml: has 1000 errors or more; correct the first ones first");
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "</infrastructure> | <local id=\"spare\"/></infrastructure> | 18:3: no virtual node is mapped to 'spare', so it will not be started; map one to it, or remove it",
        "</infrastructure> | <jvm id=\"small\"/></infrastructure> | 18:3: jvm 'small' is used by nothing; name it with jvm=\"small\", or remove it",
        "${n} | 3 | 3:5: variable 'n' is not used; write ${n} where it belongs, or remove it",
        "-Xmx2g | -Xms1g -Xmx2g | 13:15: element 'option' is '-Xms1g -Xmx2g', which Java takes as one option; write an <option> for each, if these are two",
      })
  void warnsOf(String right, String doubtful, String warning) {
    assertThat(Descriptors.warnings(folder, RIGHT.replace(right, doubtful), Map.of()))
        .containsExactly("grid.xml:" + warning);
  }

  @Test
  void countsAsUsedWhatAnOverriddenDefaultUses() {
    String text =
        RIGHT.replace("default=\"2\"/>", "default=\"${m}\"/><variable name=\"m\" default=\"2\"/>");

    assertThat(Descriptors.warnings(folder, text, Map.of("n", "3"))).isEmpty();
  }

  @Test
  void warnsOfEnvironmentVariablesGivenInVain() {
    assertThat(Descriptors.warnings(folder, RIGHT, Map.of("env.SCRATCH", "/tmp")))
        .containsExactly(
            "grid.xml: 'env.SCRATCH' has a value on the command line, but is not used; leave it out");
  }

  private List<String> errors(String text) {
    return Descriptors.errors(folder, text, Map.of());
  }
}
