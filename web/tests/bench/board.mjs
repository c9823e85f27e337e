// A board of boxes with words, arrows and doodles, COUNT elements in rows.
const FILLS = ["solid", "hachure", "cross-hatch"];
const PAPERS = ["transparent", "#a5d8ff", "#ffec99", "#b2f2bb"];

function element(at, columns) {
  const base = {
    id: `e${at}`,
    x: (at % columns) * 160,
    y: Math.floor(at / columns) * 100,
    width: 120,
    height: 60,
    angle: 0,
    strokeColor: "#1e1e1e",
    backgroundColor: PAPERS[at % 4],
    fillStyle: FILLS[at % 3],
    strokeWidth: 2,
    strokeStyle: "solid",
    roughness: 1,
    opacity: 100,
    groupIds: [],
    frameId: null,
    roundness: null,
    seed: at * 7919 + 1,
    version: 1,
    versionNonce: 1,
    isDeleted: false,
    boundElements: null,
    updated: 1,
    link: null,
    locked: false,
  };
  switch (at % 5) {
    case 0:
      return { ...base, type: "rectangle", roundness: { type: 3 } };
    case 1:
      return { ...base, type: "ellipse" };
    case 2:
      return {
        ...base,
        type: "text",
        text: "Order the tea",
        originalText: "Order the tea",
        fontSize: 20,
        fontFamily: 5,
        textAlign: "left",
        verticalAlign: "top",
        containerId: null,
        autoResize: true,
        lineHeight: 1.25,
        height: 25,
        backgroundColor: "transparent",
      };
    case 3:
      return {
        ...base,
        type: "arrow",
        points: [
          [0, 0],
          [60, 50],
          [120, 10],
        ],
        roundness: { type: 2 },
        startBinding: null,
        endBinding: null,
        startArrowhead: null,
        endArrowhead: "arrow",
        elbowed: false,
        backgroundColor: "transparent",
      };
    default:
      return { ...base, type: "diamond" };
  }
}

export function board(count) {
  const columns = Math.ceil(Math.sqrt(count * 0.9));
  return Array.from({ length: count }, (_, at) => element(at, columns));
}
