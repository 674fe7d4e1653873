/** Texts of buyers and products in sixteen languages, and their files in legacy encodings. */
import { Buffer } from "node:buffer"
import type { Random } from "../Random.ts"

/** Names, products, streets and brands; most words have other letters than a to z. */
const texts = {
  german:
    "Müller & Söhne GmbH|Bäckerei Größ|Schröder|Köln|Straße des 17. Juni|Weißwürste|Käsespätzle|Kühlschrank|Büromöbel|Tür für Gäste|Fußmatte|Jäger|Österreich|Äpfel|Übung|Gebühr|Prüfung|Lösung|Größe XL|Möwe|GROSSHÄNDLER|Tönnies|Maß|Stück|Zubehör",
  french:
    "Société Générale|Crème brûlée|Hôtel du Château|Café au lait|Bœuf bourguignon|Œuvre d’art|L’Oréal|Éclairage|Garçon|Noël|maïs|Pâtisserie|Forêt Noire|Été 2026|Boulangerie Lefèvre|Bibliothèque|Fenêtre|Crêpes|Réparation|Dépôt|Château d’Yquem|Île de Ré|Gâteau|à la carte|Goût sucré|Père Noël|Fête|déjà vu|sœur|pièce",
  spanish:
    "Señor Muñoz|Compañía Española|Jamón ibérico|Piñata|Año nuevo|Camión|García Pérez|Niño|Cañón|Teléfono móvil|¿Qué es?|Lámpara|Azúcar|Pingüino|Martínez e Hijos|Instalación|Número|Café|Núñez|Avión|Baño|Árbol|Óptica|Construcción|Peñíscola",
  portuguese:
    "João da Conceição|São Paulo|Pão de Açúcar|Serviços de manutenção|Câmara|Irmãos Guimarães|Português|Ações|Maçã|Café|Três|Instalações|Coração|Avô|Informática|Órgão|Comunicações|Gonçalves|Canalização|Não|Mães|Limões|Tâmara|Agência|Você",
  italian:
    "Società per azioni|Caffè Illy|Perché|Città di Castello|Qualità|Università|Più|Lunedì|Tè verde|Così|Libertà|Pubblicità|Virtù|Martedì|Attività|Modalità|Però|Bontà|Comò|Falò|Ragù|Novità|Società Agricola|L’Aquila|Dell’Orto",
  dutch:
    "Coöperatie|België|geïnstalleerd|Café ’t Hoekje|Eén stuk|Ideeën|Reünie|Financiële dienst|Coëfficiënt|Zoë|Patiënt|Oekraïne|Cliënt|Categorieën|Geïmporteerd|Kopiëren|Vóór 12 uur|Industriële|Knieën|Creëren",
  danish:
    "Smørrebrød|Ærø Færge|Købmand|Rødgrød|Blåbær|Håndværk|Æbler|Århus|Søren Kjær|Jørgensen|Mælk|Brød|Øl|Kød|Læge|Næstved|Grønt|Fløde|Være|Køkken|Bjørn|Værktøj|Sæson|Tømrer|Ørsted",
  swedish:
    "Göteborg|Malmö|Kött|Smörgås|Åkesson|Fönster|Öström|Västerås|Möbler|Återvinning|Björk|Sjöö|Färg|Näsby|Mått|Höst|Äpple|Lönn|Kålrot|Hälsa|Dörr|Järn|Skåp|Grädde|Trä",
  finnish:
    "Jyväskylä|Hämeenlinna|Pöytä|Mäkinen|Työkalu|Sähkö|Järvi|Väinämöinen|Öljy|Yhtiö|Käsityö|Länsi|Hyvää päivää|Tänään|Särkkä|Kylpylä|Lämmitys|Äänekoski|Leipä|Ympäristö",
  polish:
    "Spółka Żółw|Świętokrzyska|Łódź|Kraków|Gdańsk|Wałęsa|Paweł Wiśniewski|Usługi księgowe|Źródło|Ćwikła|Mięso|Żurek|Sól|Masło|Książka|Stół|Łyżka|Dąb|Pączki|Śledź|Oświęcim|Małgorzata|Piętro|Węgiel|Kołdra",
  czech:
    "Kovář s.r.o.|Dvořák Žižka|Škoda|Účet|Příbram|Černý|Novotný|Běžná|Říčany|Plzeň|Dům|Židle|Stůl|Tkaničky|Kučera|Křeslo|Ústí nad Labem|Vánoční|Štědrý|Krůta|Hřebík|Šroub|Čaj|Mléko|Sýr",
  hungarian:
    "Győr Kft.|Kőműves|Gyűrű|Szőlő|Fűszer|Erdő|Sütőpor|Bútor|Tűzoltó|Székesfehérvár|Könyv|Tőke|Őszi|Űrlap|Kertész|Hűtő|Festő|Kávé|Ajtó|Csavar húzó|Fűrész|Esernyő|Cipő|Tükör|Függöny",
  turkish:
    "Yıldız Işık|Şişli|Çelik Sanayi|Özgür Yazılım|Doğan|Gümüş|İstanbul|Ağaoğlu|Kırmızı|Şahin|Çiçek|Bağcılar|Güneş|Ürün|Çay|Süt|Değirmen|Taşıma|Yağmur|Kılıç|Altın|Balıkçı|Işıklar|Öğrenci|Sığır",
  romanian:
    "Bucureşti|Timişoara|Braşov|Constanţa|Măcelărie|Pâine|Brânză|Înregistrare|Ştefan|Ţuică|Furnizor străin|Vânzări|Maşină|Şurub|Învăţământ|Piaţa|Grădină|Fântână|Cărămidă|Staţie",
  russian:
    "ООО Ромашка|Иван Петров|Москва|Кресло офисное|Услуги связи|Бумага А4|Санкт-Петербург|Ёлка|Молоко|Щётка|Чай чёрный|Подшипник|Объект|Съёмка|Эльбрус|Юлия|Яблоки|Хлеб|Цемент|Жёлтый",
  greek:
    "Αθήνα ΑΕ|Παπαδόπουλος|Θεσσαλονίκη|Καφές|Ελιές|Υπηρεσίες|Γραφείο|Άρτος|Έπιπλα|Ήλιος|Ώρα|Μαϊντανός|Τραπέζι|Ψωμί|Ξύλο|Χαρτί|Εταιρεία|Δημήτρης|Όμιλος|Ύφασμα"
}
export type Language = keyof typeof texts
export const languages = Object.keys(texts) as ReadonlyArray<Language>
export const western: ReadonlyArray<Language> = languages.slice(0, 9)

/** Texts of every country: signs, units, brands, dashes. */
const common =
  "½ kg|½kg|¾l|10µF|25°C|ACME™|Nestlé®|© 2026|Jan–Feb|10–20|5 × 3|McDonald’s|“Noir”|Nº 5|m²|3 m³|±5%|A – B|€ 5|£12.50|§ 4|rock ’n’ roll|O’Brien|n° 12|1ª|Caf\u00e9 Zo\u00eb"

const upper = Uint8Array.from({ length: 128 }, (_, i) => 0x80 + i)
const [dos437, dos850] = ["437", "850"].map((page) =>
  page === "437"
    ? "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»"
    : "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\xad±‗¾¶§÷¸°¨·¹³²"
)
const dos852 =
  "ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\xad˝˛ˇ˘§÷¸°¨˙űŘř■\xa0"
const charactersOf = (encoding: string): string =>
  ({ ibm437: dos437, ibm850: dos850, ibm852: dos852 })[encoding] ?? new TextDecoder(encoding).decode(upper)

/** Returns the bytes, or undefined if the encoding lacks a character. */
export const written = (text: string, encoding: string): Uint8Array | undefined => {
  const known = charactersOf(encoding)
  const bytes: Array<number> = []
  for (const one of text) {
    const code = one.charCodeAt(0)
    const at = known.indexOf(one)
    if (code >= 0x80 && at < 0) return undefined
    bytes.push(code < 0x80 ? code : 0x80 + at)
  }
  return Buffer.from(bytes)
}

export const encodingsWritten: ReadonlyArray<string> = [
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1257",
  "iso-8859-2",
  "iso-8859-5",
  "iso-8859-7",
  "iso-8859-9",
  "iso-8859-15",
  "iso-8859-16",
  "koi8-r",
  "ibm866",
  "ibm437",
  "ibm850",
  "ibm852",
  "macintosh",
  "x-mac-cyrillic"
]

/** Returns one to twelve cells of a language, some with a sign or with another language. */
export const cellsOf = (language: Language, random: Random): ReadonlyArray<string> => {
  const one = (all: string) => random.pick(all.split("|"))
  return random.times(1, 12, () => {
    const own = one(texts[language])
    const roll = random.next()
    if (roll < 0.15) return one(common)
    if (roll < 0.25) return `${own} ${one(common)}`
    if (roll < 0.35) return `${own} / ${one(texts[random.pick(languages)])}`
    return roll < 0.5 ? `${own} ${one(texts[language])}` : own
  })
}
