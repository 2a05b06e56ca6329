package org.troupe.deployment.site;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.troupe.deployment.site.SiteFacts.Queue;
import org.troupe.deployment.site.SiteFacts.Refusal;
import org.troupe.deployment.site.SiteFacts.Scheduler;
import org.troupe.descriptors.DescriptorSchema;
import org.troupe.descriptors.Login;

/** Writes the descriptor of a site. The same facts give the same text. */
final class SiteDescriptor {

  /*
   * Each value that a user may change has a line of its own, so that a change of it does not touch its neighbours when
   * the site is asked again. Names begin with that of the site, so that a descriptor can include several.
   */
  private static final Duration USUAL = Duration.ofHours(1);

  /** The memory of a JVM in HTCondor. */
  private static final String MEMORY = "2g";

  private final String name;
  private final Login login;
  private final SiteFacts facts;
  private final List<String> lines = new ArrayList<>();

  private SiteDescriptor(String name, Login login, SiteFacts facts) {
    this.name = name;
    this.login = login;
    this.facts = facts;
  }

  /** Returns the lines of the descriptor. */
  static List<String> of(String name, Login login, SiteFacts facts) {
    var descriptor = new SiteDescriptor(name, login, facts);
    descriptor.write();
    return List.copyOf(descriptor.lines);
  }

  private void write() {
    line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    line("<!-- The site '%s': %s. Edit this file as you like:".formatted(text(name), title()));
    line("     'troupe site add' changes only lines that you have not changed. -->");
    line("<troupe xmlns=\"%s\">".formatted(DescriptorSchema.NAMESPACE));
    line("  <variables>");
    line("    <variable name=\"%s-nodes\" default=\"1\"/>".formatted(name));
    if (isBatch()) {
      line("    <variable name=\"%s-time\" default=\"%s\"/>".formatted(name, time()));
    }
    namedQueue()
        .ifPresent(
            queue ->
                line(
                    "    <variable name=\"%s-queue\" default=\"%s\"/>"
                        .formatted(name, attribute(queue.name()))));
    line("  </variables>");
    line("  <virtualNodes>");
    line("    <virtualNode name=\"%s\"/>".formatted(name));
    line("  </virtualNodes>");
    line("  <mapping>");
    line("    <map virtualNode=\"%s\" to=\"%s-job\"/>".formatted(name, name));
    line("  </mapping>");
    line("  <infrastructure>");
    line("    <cluster id=\"%s-network\"/>".formatted(name));
    if (isBatch()) {
      line("    <login");
      line("        id=\"%s-login\"".formatted(name));
      loginLines();
      line("        host=\"%s\"/>".formatted(attribute(login.host())));
      facts.queues().forEach(queue -> line("    <!-- " + comment(queue) + " -->"));
      line("    <%s".formatted(facts.scheduler().element()));
      line("        id=\"%s-job\"".formatted(name));
      line("        via=\"%s-login\"".formatted(name));
      jobLines();
      line("        cluster=\"%s-network\">".formatted(name));
      facts.modules().stream()
          .findFirst()
          .ifPresent(
              module ->
                  line(
                      "      <!-- <prologue>module load %s</prologue> -->"
                          .formatted(text(module))));
      line("    </%s>".formatted(facts.scheduler().element()));
    } else {
      line("    <ssh");
      line("        id=\"%s-job\"".formatted(name));
      line("        hosts=\"%s\"".formatted(attribute(login.host())));
      line("        jvms=\"${%s-nodes}\"".formatted(name));
      loginLines();
      line("        cluster=\"%s-network\"/>".formatted(name));
    }
    line("  </infrastructure>");
    line("</troupe>");
  }

  private boolean isBatch() {
    return facts.scheduler() != Scheduler.NONE;
  }

  private Optional<Queue> namedQueue() {
    return facts.queue().filter(Queue::hasName);
  }

  private String title() {
    return facts.scheduler().title() + " at " + text(login.host());
  }

  private void loginLines() {
    optional("port", login.port());
    login.user().ifPresent(user -> line("        user=\"%s\"".formatted(attribute(user))));
    login
        .identity()
        .ifPresent(file -> line("        identity=\"%s\"".formatted(attribute(file.toString()))));
    if (login.hostKeys() == Login.HostKeys.ACCEPT_NEW) {
      line("        hostKeys=\"acceptNew\"");
    }
  }

  private void optional(String attribute, OptionalInt value) {
    if (value.isPresent()) {
      line("        %s=\"%d\"".formatted(attribute, value.getAsInt()));
    }
  }

  private void jobLines() {
    line("        nodes=\"${%s-nodes}\"".formatted(name));
    line("        wallTime=\"${%s-time}\"".formatted(name));
    if (namedQueue().isPresent()) {
      line("        queue=\"${%s-queue}\"".formatted(name));
    }
    facts.accounts().stream()
        .findFirst()
        .ifPresent(account -> line("        account=\"%s\"".formatted(attribute(account))));
    facts.parallelEnvironments().stream()
        .findFirst()
        .ifPresent(
            environment ->
                line("        parallelEnvironment=\"%s\"".formatted(attribute(environment))));
    if (facts.scheduler() == Scheduler.HTCONDOR) {
      line("        cpus=\"1\"");
      line("        memory=\"%s\"".formatted(MEMORY)); // its own default is too little for a JVM
    }
    var skipped =
        facts.refusals().stream().map(Refusal::option).filter(each -> !each.isEmpty()).toList();
    if (!skipped.isEmpty()) {
      line("        skip=\"%s\"".formatted(attribute(String.join(" ", skipped))));
    }
  }

  /** Returns an hour, or the limit of the queue if that is shorter. */
  private String time() {
    var longest = facts.queue().map(Queue::longestSeconds).orElse(0L);
    var time = longest == 0 || longest > USUAL.toSeconds() ? USUAL : Duration.ofSeconds(longest);
    return "%02d:%02d:%02d".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  private static String comment(Queue queue) {
    return text(queue.title()) + ": " + SiteText.limits(queue);
  }

  private void line(String line) {
    lines.add(line);
  }

  private static String attribute(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("\"", "&quot;")
        .replace("${", "$${");
  }

  /** Returns text for a comment, in which two hyphens are not allowed. */
  private static String text(String text) {
    return text.replaceAll("-(?=-|$)", "_").replaceAll("\\p{Cntrl}", " ");
  }
}
