package org.troupe.benchmarks.bare;

import java.io.IOException;
import java.util.Locale;

/** By what a bare link goes. */
public enum BareDriver {
  /** A {@code SocketChannel} that blocks, over loopback. */
  TCP {
    @Override
    public BareListener listen() throws IOException {
      return BareChannelLink.listen();
    }

    @Override
    public BareLink connect(String address) throws IOException {
      return BareChannelLink.connect(address);
    }
  },

  /** The same over a Unix domain socket. */
  UDS {
    @Override
    public BareListener listen() throws IOException {
      return BareChannelLink.listenUnix();
    }

    @Override
    public BareLink connect(String address) throws IOException {
      return BareChannelLink.connectUnix(address);
    }
  },

  /** Two rings in a mapped file; waiting is the system's futex. Needs native access, and Linux. */
  SHM {
    @Override
    public BareListener listen() throws IOException {
      return SharedRingLink.listen();
    }

    @Override
    public BareLink connect(String address) throws IOException {
      return SharedRingLink.connect(address);
    }

    @Override
    public boolean isPossible() {
      return SharedFutex.isKnown();
    }
  },

  /** An {@code SSLEngine} for TLS 1.3 over {@link #TCP}. */
  TLS {
    @Override
    public BareListener listen() throws IOException {
      return BareTlsLink.listen();
    }

    @Override
    public BareLink connect(String address) throws IOException {
      return BareTlsLink.connect(address);
    }
  };

  /** Returns its name in the names of rows. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Opens a listener for one link. */
  public abstract BareListener listen() throws IOException;

  /** Connects to a listener in another process of this machine. */
  public abstract BareLink connect(String address) throws IOException;

  /** Whether this machine has it. */
  public boolean isPossible() {
    return true;
  }
}
