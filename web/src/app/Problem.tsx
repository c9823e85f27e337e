/** What went wrong, said at once to whoever listens instead of looking; nothing if nothing did. */
export function Problem({ words }: { words: string | null | undefined }) {
  if (!words) return null;
  return (
    <p className="run-problem" role="alert">
      {words}
    </p>
  );
}
