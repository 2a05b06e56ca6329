package org.troupe.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.troupe.browser.Browser;

/** The page in a window of 1,280 pixels. */
@Timeout(120)
class SmallWindowTest {

  private static final Path PICTURES = Path.of("target", "page");

  private static SamplePage page;
  private static Browser browser;

  @BeforeAll
  static void open() throws Exception {
    browser = InstalledBrowser.openOrSkip();
    page = new SamplePage(SampleRun.troubled(), 3);
    browser.show(page.address());
    browser.look(1280, 800, false);
  }

  @AfterAll
  static void close() throws Exception {
    if (page != null) {
      page.close();
    }
    if (browser != null) {
      assertThat(browser.problems()).isEmpty();
      browser.close();
    }
  }

  private static void open(String view) throws Exception {
    browser.await("true", "location.hash = '#/" + view + "'");
    browser.await("document.querySelector('.view-" + view + "')", "0");
  }

  @Test
  void namesFitASmallWindow() throws Exception {
    open("now");
    assertThat(
            browser.await(
                "document.querySelector('.hottest .hot')",
                "[...document.querySelectorAll('.hottest .label')].filter(({ children: [type, method] }) => type.getBoundingClientRect().right > method.getBoundingClientRect().left || type.scrollWidth > type.clientWidth).map(each => each.innerText).join()"))
        .as("classes that overlap their methods, or are cut")
        .isEmpty();
    browser.picture(PICTURES.resolve("now-small.png"));
    open("futures");
    assertThat(
            browser.await(
                "document.querySelector('.view-futures .row')",
                "(box => box.scrollWidth - box.clientWidth)(document.querySelector('.view-futures .scroll'))"))
        .as("how many pixels of the futures are hidden")
        .isEqualTo("0");
  }

  @Test
  void failuresFitASmallWindow() throws Exception {
    open("failures");
    assertThat(
            browser.await(
                "document.querySelector('.view-failures .row')",
                "(box => box.scrollWidth - box.clientWidth)(document.querySelector('.view-failures .scroll'))"))
        .as("how many pixels of the table are hidden")
        .isEqualTo("0");
    browser.picture(PICTURES.resolve("failures-small.png"));
  }

  @Test
  void namesOfFailuresBreakBetweenTheirWords() throws Exception {
    open("failures");
    assertThat(
            browser.await(
                "document.querySelector('.view-failures .row')",
                """
                [...document.querySelectorAll('.view-failures .folds')].flatMap(cell => [...cell.childNodes]).filter(part => {
                  const range = document.createRange();
                  range.selectNodeContents(part);
                  return part.nodeType === Node.TEXT_NODE && range.getClientRects().length > 1;
                }).map(part => part.textContent).join(' ')
                """))
        .as("words on two lines")
        .isEmpty();
  }
}
