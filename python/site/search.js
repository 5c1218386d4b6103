/* search.js - the search of the site, in the browser: sections that have all words of the query, as beginnings of their
 * words; those with more of them in the heading first.  SECTIONS is in search_index.js: address, page, heading, words. */
"use strict";

const SHOWN = 20, AROUND = 70;

/* Words of a text in lower case: letters, digits and what keys and options are made of. */
function wordsOf(text) {
    return text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [];
}

function countBeginnings(words, beginning) {
    return words.reduce((n, word) => n + (word.startsWith(beginning) ? 1 : 0), 0);
}

/* 0: not all words of the query are there. */
function scoreOf(section, query) {
    const heading = wordsOf(section[2]), page = wordsOf(section[1]), words = wordsOf(section[3]);
    let score = 0;
    for (const word of query) {
        const found = 20 * Math.min(1, countBeginnings(heading, word)) + 5 * Math.min(1, countBeginnings(page, word))
                      + Math.min(10, countBeginnings(words, word));
        if (found === 0)
            return 0;
        score += found;
    }
    return score;
}

/* The best sections for a query, at most SHOWN. */
function search(sections, text) {
    const query = wordsOf(text);
    if (query.length === 0)
        return [];
    return sections.map(section => ({ section, score: scoreOf(section, query) }))
        .filter(found => found.score > 0).sort((a, b) => b.score - a.score).slice(0, SHOWN).map(found => found.section);
}

/* Some words around the first word of the query. */
function excerpt(section, text) {
    const words = section[3], first = wordsOf(text)[0] || "";
    const at = Math.max(0, words.toLowerCase().indexOf(first) - AROUND);
    return (at > 0 ? "... " : "") + words.slice(at, at + 3 * AROUND);
}

function show(results, text) {
    results.textContent = "";
    const found = search(SECTIONS, text);
    for (const section of found) {
        const link = document.createElement("a");
        const heading = document.createElement("strong");
        const words = document.createElement("span");
        link.href = section[0];
        heading.textContent = section[1] === section[2] ? section[2] : section[1] + ": " + section[2];
        words.textContent = excerpt(section, text);
        link.append(heading, words);
        results.append(link);
    }
    if (found.length === 0)
        results.textContent = "No section has all these words.";
    results.hidden = text.trim() === "";
}

if (typeof document !== "undefined") {
    const input = document.getElementById("search"), results = document.getElementById("results");
    input.addEventListener("input", () => show(results, input.value));
    results.addEventListener("click", () => { results.hidden = true; });
    document.addEventListener("keydown", event => {
        if (event.key === "Escape")
            results.hidden = true;
        if (event.key === "/" && document.activeElement !== input) {
            event.preventDefault();
            input.focus();
        }
    });
}
