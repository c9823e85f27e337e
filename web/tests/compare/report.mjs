// The report: every pair side by side with the heat map of their difference, the worst first.

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");

export function report(rows, failures) {
  const mean = (key) => (rows.reduce((sum, row) => sum + row[key], 0) / rows.length).toFixed(4);
  const sections = [...rows].sort((a, b) => a.f1 - b.f1).map((row) => `
  <section>
    <h2>${escaped(row.name)}</h2>
    <p>F1 ${row.f1.toFixed(4)} · precision ${row.precision.toFixed(4)} · recall ${row.recall.toFixed(4)} · SSIM ${row.ssim.toFixed(4)} · ${row.width} × ${row.height}${row.off.some(Boolean) ? ` · size off by ${row.off}` : ""}</p>
    <div><figure><img loading="lazy" src="ours/${row.slug}.png" alt=""><figcaption>ours</figcaption></figure><figure><img loading="lazy" src="theirs/${row.slug}.png" alt=""><figcaption>the editor's</figcaption></figure>
    <figure><img loading="lazy" src="heat/${row.slug}.png" alt=""><figcaption>red only ours, blue only the editor's, yellow unlike</figcaption></figure></div>
  </section>`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Ours beside the editor's</title>
<style>
  body { font: 14px/1.4 system-ui, sans-serif; margin: 24px; color: #222; background: #f6f6f4; }
  section { background: #fff; border: 1px solid #ddd; border-radius: 8px; padding: 8px 16px; margin: 16px 0; }
  section > div { display: grid; grid-template-columns: repeat(3, 1fr); gap: 12px; }
  figure { margin: 0; } img { width: 100%; border: 1px solid #eee; } figcaption { color: #666; } .bad { color: #c00; }
</style></head><body>
<h1>Ours beside the editor's</h1>
<p>${rows.length} scenes · mean F1 ${mean("f1")} · mean SSIM ${mean("ssim")}</p>
${failures.map((failure) => `<p class="bad">${escaped(failure)}</p>`).join("")}
${sections.join("\n")}
</body></html>
`;
}
