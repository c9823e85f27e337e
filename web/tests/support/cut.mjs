// A wire between client and server that a test can cut, and hold back what the client sends.
import { createServer, connect } from "node:net";
import { once } from "node:events";

export class Wire {
  static async to(port) {
    const wire = new Wire();
    wire.sockets = new Set();
    wire.open = true;
    wire.holding = false;
    wire.server = createServer((client) => {
      if (!wire.open) return client.destroy();
      const server = connect(port, "127.0.0.1");
      const held = [];
      const pair = { client, server, held };
      wire.sockets.add(pair);
      client.on("data", (bytes) => (wire.holding ? held.push(bytes) : server.write(bytes)));
      server.on("data", (bytes) => client.write(bytes));
      const end = () => {
        client.destroy();
        server.destroy();
        wire.sockets.delete(pair);
      };
      for (const socket of [client, server]) socket.on("error", end).on("close", end);
    });
    wire.server.listen(0, "127.0.0.1");
    await once(wire.server, "listening");
    wire.url = `ws://127.0.0.1:${wire.server.address().port}/sync`;
    return wire;
  }

  /** What the client sends from now on gets lost when the wire is cut. */
  hold() {
    this.holding = true;
  }

  cut() {
    this.open = false;
    for (const { client, server } of this.sockets) {
      client.destroy();
      server.destroy();
    }
    this.sockets.clear();
    this.holding = false;
  }

  mend() {
    this.open = true;
  }

  close() {
    this.cut();
    this.server.close();
  }
}
