"""The fixtures that are too long to keep: made anew each time, the same for the same seed."""

import json
import random

STREETS = ["Alder", "Bridge", "Castle", "Dock", "Elm", "Ferry", "Granary", "Harbour", "Ivy", "Juniper", "Kiln",
           "Linden", "Meadow", "Nettle", "Orchard", "Priory", "Quarry", "Rampart", "Station", "Tannery"]
KINDS = ["Lane", "Road"]

DEPOT = [
    "The depot at {name} serves {streets} streets and has room for {bays} vans. Its gate is {gate} metres wide, so that "
    "the long trailers have to be unloaded in the yard.",
    "Parcels arrive from the hub at {arrival} in the morning. Whoever is on the early shift counts the cages before the "
    "seal is broken and writes the number on the sheet by the door.",
    "The scanners at {name} are charged in the office overnight. A scanner that shows less than a third in the morning is "
    "set aside with a red tag; the spare ones are in the cupboard under the stairs.",
    "Heavy goods of more than {weight} kg are not carried by one person. The lifting table stands beside bay {bay} and is "
    "checked by the insurer every {months} months.",
    "Drivers leave in {waves} waves, ten minutes apart, because the street outside is narrow. The first wave takes the "
    "rounds that are furthest away.",
    "What could not be delivered comes back before the evening and is put on the shelf for the next day. After three "
    "tries a parcel goes back to its sender; perishable goods go back at once.",
    "In winter the yard is gritted by {who}. The grit is kept in the blue box; when it is a third full, a new bag is "
    "ordered from the office and not bought in a shop.",
    "The person in charge at {name} is {who}, who can be reached at extension {extension}. Complaints are written into "
    "the book, even when they were settled on the spot.",
]
PEOPLE = ["Ada Brunner", "Bela Novak", "Chidi Obi", "Dana Levin", "Emil Saar", "Fatma Kaya", "Goran Ilic", "Hana Sato",
          "Igor Petrov", "Jana Kral", "Kofi Mensah", "Lea Marchand"]


def depots(seed):
    """A handbook of 40 depots, some 370 paragraphs. When Quarry Lane closes stands in four places; Quarry Road closes at
    the same hour, and is another depot."""
    chance = random.Random(seed)
    names = [f"{street} {kind}" for street in STREETS for kind in KINDS]
    closing = {name: chance.choice(["16:30", "18:00", "18:30", "19:00", "20:00"]) for name in names}
    closing["Quarry Lane"] = closing["Quarry Road"] = "17:00"
    out = ["# Handbook of the depots", "", "This handbook describes every depot of the carrier. It is read from the "
           "section that one needs.", ""]
    for number, name in enumerate(names, 1):
        facts = {"name": name, "streets": chance.randrange(40, 400), "bays": chance.randrange(4, 30),
                 "gate": chance.randrange(3, 9), "arrival": f"{chance.randrange(3, 6)}:{chance.choice(['00', '20', '40'])}",
                 "weight": chance.randrange(20, 40), "bay": chance.randrange(1, 5), "months": chance.choice([6, 12]),
                 "waves": chance.choice(["two", "three", "four"]), "who": chance.choice(PEOPLE),
                 "extension": chance.randrange(200, 900)}
        out += [f"## {number} {name}", ""]
        for at, paragraph in enumerate(DEPOT):
            out += [paragraph.format(**facts), ""]
            if at == 3:
                out += [f"The counter at {name} closes at {closing[name]}. Whoever stands in the queue by then is still "
                        "served.", ""]
        if name == "Granary Road":
            out += ["On Saturdays the parcels of this round are handed out at Quarry Lane, which closes at 17:00 on that "
                    "day too.", ""]
    out += ["## Opening times at a glance", ""]
    out += [f"- {name}: until {closing[name]}" for name in names]
    out += ["", "## For the telephone", "", "These sentences are read out by whoever answers the telephone.", "",
            "> Our counter at Quarry Lane is open until five in the afternoon. Please bring your card.", "",
            "> Our counter at Quarry Road is open until five in the afternoon. Please bring your card.", ""]
    return {"depots.md": "\n".join(out)}


CHAPTERS = ["Joining", "Choosing an instrument", "Strings", "Woodwind", "Brass", "Percussion", "Keyboards", "Repairs",
            "Lending", "Money", "Concerts", "Ending"]
TOPICS = ["Who decides", "What is needed", "Returns of instruments", "Exceptions"]
LENDING = [
    "The {thing} is handed out by the keeper on the first Tuesday of the month, between five and seven in the evening.",
    "Whoever takes a {thing} home signs for it. The sheet is kept for {years} years in the grey cabinet.",
    "A {thing} is carried in its case, also for short ways. Cases with a broken lock are exchanged at once.",
    "Damage is told to the keeper within {days} days. What is told later is paid for by whoever had the {thing}.",
    "The society insures each {thing} for {value} euros. Journeys abroad are not covered unless it was agreed before.",
    "In the summer break a {thing} may be kept, if the keeper was told before the {day} of July.",
    "Children under {age} share a {thing} with another child, and one of the parents signs.",
]
THINGS = ["violin", "cello", "clarinet", "oboe", "trumpet", "horn", "drum", "flute", "viola", "bassoon", "accordion"]
CLUMSY = [
    "With regard to the returning of instruments it is the case that every instrument which has been lent out must, in "
    "principle and as a general rule, be brought back by the borrower at the latest by the 30th of June of the year in "
    "question, whereby it is to be noted that the keeper is present for this purpose in **room 12** only, and there only "
    "between the hours of 16:00 and 18:30, so that it is not possible for instruments to be handed in at other times.",
    "In the event that an instrument is not brought back by the date that was mentioned in the foregoing, a charge in the "
    "amount of 15 euros will be made for each week that has begun, up to a maximum amount of 90 euros, it being understood "
    "that this charge is waived in the event of illness if a [written note](forms/illness.pdf) is submitted within 10 days.",
    "Furthermore it should be mentioned that at the time of the returning of the instrument a check of the instrument is "
    "carried out by the keeper *together with* the borrower, which takes approximately 20 minutes, and that the deposit of "
    "120 euros is paid back subsequent to this check, namely within 14 days, by bank transfer.",
]


def lending(seed):
    """A handbook of twelve chapters with four sections each, some 370 paragraphs. Section 9.3 is the clumsy one; seven
    other sections bear the same title."""
    chance = random.Random(seed)
    out = ["# Handbook of the music society", ""]
    for chapter, title in enumerate(CHAPTERS, 1):
        out += [f"## {chapter} {title}", ""]
        for section, topic in enumerate(TOPICS, 1):
            if topic == "Returns of instruments" and chapter in (1, 2, 10, 12):
                topic = "What to remember"
            out += [f"### {chapter}.{section} {topic}", ""]
            if (chapter, section) == (9, 3):
                for paragraph in CLUMSY:
                    out += [paragraph, ""]
                continue
            for paragraph in chance.sample(LENDING, len(LENDING)):
                facts = {"thing": chance.choice(THINGS), "years": chance.randrange(2, 9), "days": chance.randrange(2, 12),
                         "value": chance.randrange(3, 40) * 100, "day": chance.choice(["5th", "10th", "15th"]),
                         "age": chance.randrange(8, 13)}
                out += [paragraph.format(**facts), ""]
    return {"lending.md": "\n".join(out)}


SYLLABLES = ["ba", "co", "di", "fu", "ga", "hi", "jo", "ku", "la", "mi", "no", "pe", "ra", "so", "ti", "vu", "wa", "xe", "zo"]


def lockfile(seed):
    """A project whose lock file has some 140,000 characters. `left-padder` is installed twice: 1.3.1 for the project
    itself and `bannerize`, 0.4.2 below `tables`."""
    chance = random.Random(seed)
    digest = lambda: "sha512-" + "".join(chance.choice("ABCDEFGHabcdefgh0123456789+/") for _ in range(86)) + "=="
    def package(name, version, needs=None):
        entry = {"version": version, "resolved": f"https://packages.example/{name}/-/{name}-{version}.tgz",
                 "integrity": digest(), "license": "MIT"}
        if needs:
            entry["dependencies"] = needs
        return entry
    names = set()
    while len(names) < 420:
        names.add("".join(chance.choice(SYLLABLES) for _ in range(chance.randrange(2, 5))))
    names = sorted(names)
    wanted = {"bannerize": "^2.0.0", "left-padder": "^1.2.0", "tables": "^5.1.0", **{name: "^1.0.0" for name in names[:6]}}
    packages = {f"node_modules/{name}": package(name, f"1.{chance.randrange(9)}.{chance.randrange(9)}",
                                                {chance.choice(names): "^1.0.0"} if chance.random() < 0.6 else None)
                for name in names}
    packages["node_modules/bannerize"] = package("bannerize", "2.0.4", {"left-padder": "^1.3.0"})
    packages["node_modules/left-padder"] = package("left-padder", "1.3.1")
    packages["node_modules/tables"] = package("tables", "5.1.2", {"left-padder": "~0.4.0"})
    packages["node_modules/tables/node_modules/left-padder"] = package("left-padder", "0.4.2")
    manifest = {"name": "poster", "version": "1.0.0", "private": True, "type": "module", "dependencies": wanted}
    lock = {"name": "poster", "version": "1.0.0", "lockfileVersion": 3, "requires": True,
            "packages": {"": {"name": "poster", "version": "1.0.0", "dependencies": wanted}, **dict(sorted(packages.items()))}}
    source = ('import { leftPad } from "left-padder";\nimport { table } from "tables";\n\n'
              "export const poster = (rows) => table(rows.map((row) => leftPad(row, 12)));\n")
    written = lambda value: json.dumps(value, indent=2) + "\n"
    return {"package.json": written(manifest), "package-lock.json": written(lock), "src/poster.js": source}


def make(kind, seed):
    """The files of a generated fixture, by their paths."""
    return {"depots": depots, "lending": lending, "lockfile": lockfile}[kind](seed)
