// The few words that overlays have beside those of the pages.

import { language, t } from '../js/words.js';

const MORE = {
  en: { live: 'Live', final: 'Final score', total: 'Total', close: 'Close call', counting: 'Counting', between: 'Next: round {n}', won: 'Round {n}: {name} +{by}', shared: 'Round {n} shared', stale: 'Not up to date', idle: 'No match' },
  fr: { live: 'En jeu', final: 'Score final', total: 'Total', close: 'Très juste', counting: 'On compte', between: 'À suivre : manche {n}', won: 'Manche {n} : {name} +{by}', shared: 'Manche {n} partagée', stale: 'Pas à jour', idle: 'Pas de match' },
  nl: { live: 'Bezig', final: 'Eindstand', total: 'Totaal', close: 'Twijfelgeval', counting: 'Tellen', between: 'Straks: ronde {n}', won: 'Ronde {n}: {name} +{by}', shared: 'Ronde {n} gedeeld', stale: 'Niet actueel', idle: 'Geen wedstrijd' },
  th: { live: 'กำลังแข่ง', final: 'ผลสุดท้าย', total: 'รวม', close: 'ก้ำกึ่ง', counting: 'กำลังนับ', between: 'ต่อไป: รอบ {n}', won: 'รอบ {n}: {name} +{by}', shared: 'รอบ {n} เสมอ', stale: 'ไม่เป็นปัจจุบัน', idle: 'ไม่มีการแข่ง' },
};

export function say(key, values = {}) {
  const text = (MORE[language] ?? MORE.en)[key];
  return text ? text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '') : t(key, values);
}

// stage is what a match is about to do, in few words.
export function stage(scene) {
  const v = scene.view;
  if (v.paused) return say('phase.paused');
  switch (v.phase) {
    case 'over': return say('final');
    case 'asking': return say('close');
    case 'counting': return say('counting');
    case 'between': return say('between', { n: v.round });
    default: return say('round', { n: v.round });
  }
}
