import { useCallback, useEffect, useState } from "react";
import { failed } from "../api/failed";

interface Setting<T, C> {
  /** As the server has it; nothing before it has answered. */
  value: T | null;
  /** A change is on its way. */
  working: boolean;
  /** Why it could not be read or changed. */
  problem: string | null;
  /** Answers whether the change was taken. */
  change(wanted: C): Promise<boolean>;
}

/** Something that the server keeps, read once and changed by what the server answers. `read` must be stable. */
export function useSetting<T, C>(read: () => Promise<T>, write: (wanted: C) => Promise<T>): Setting<T, C> {
  const [value, setValue] = useState<T | null>(null);
  const [working, setWorking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const fail = useCallback((error: unknown) => setProblem(failed(error)), []);
  useEffect(() => {
    read().then(setValue, fail);
  }, [read, fail]);

  const change = async (wanted: C) => {
    setWorking(true);
    setProblem(null);
    try {
      setValue(await write(wanted));
      return true;
    } catch (error) {
      fail(error);
      return false;
    } finally {
      setWorking(false);
    }
  };
  return { value, working, problem, change };
}
