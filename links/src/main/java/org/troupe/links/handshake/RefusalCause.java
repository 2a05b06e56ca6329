package org.troupe.links.handshake;

/** Why a port refused a connection before its peer had proved the secret. */
public enum RefusalCause {
  NOT_TROUPE("it does not speak Troupe's handshake"),
  WRONG_SECRET("it does not know this deployment's secret, or looks for another port"),
  LEFT("it disconnected before it had proved the secret"),
  TOO_SLOW("it did not prove the secret in time"),
  CROWDED_OUT("it was evicted while other handshakes waited");

  final String reason;

  RefusalCause(String reason) {
    this.reason = reason;
  }
}
