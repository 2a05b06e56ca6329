package org.troupe.transport.rmi.snippets;

import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.concurrent.CountDownLatch;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Node;
import org.troupe.transport.rmi.RmiExport;

/** The code samples of this module's Javadoc. They are compiled, not run. */
final class RmiSnippets {

  private RmiSnippets() {}

  // @start region="interface"
  interface Accounts extends Remote {
    long balance(String owner) throws RemoteException;
  }

  static class Bank implements Accounts {
    @Override
    public long balance(String owner) {
      return 0;
    }
  }

  // @end

  static void export(Node node, CountDownLatch closed) throws Exception {
    // @start region="export"
    Bank bank = ActiveObjects.on(node).create(Bank.class);
    try (RmiExport export = RmiExport.open(bank, "accounts", RmiExport.Options.LOOPBACK)) {
      closed.await(); // clients call meanwhile
    }
    // @end
  }
}
