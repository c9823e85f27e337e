/** Bugs to plant in the session, each of which the simulator must find. */
import { Outbox } from "../../src/sync/outbox";

const FAULTS: Record<string, () => void> = {
  /** What was under way when the line dropped is never sent again. */
  "forget-on-drop": () => {
    Outbox.prototype.disconnected = function (this: Outbox) {
      this.withdraw();
    };
  },
  /** What earlier tabs left on the device stays there. */
  "leave-behind": () => {
    Outbox.prototype.leftBehind = async () => new Map();
  },
};

export function plant(name: string): void {
  const fault = FAULTS[name];
  if (!fault) throw new Error(`there is no fault called ${name}`);
  fault();
}
