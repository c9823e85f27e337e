/** The part of the window that shows the page: what belongs to a place on it stays inside, clear of the panels. */
export const stage = () => document.querySelector<HTMLElement>(".stage");
