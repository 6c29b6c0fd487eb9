/** The law that a rule of call-rules.ts follows, and where it was read. Not legal advice. */
export interface CallSource {
  law: string
  /** the public page on which this was read, or the law's own if the note names summaries */
  url: string
  /** `YYYY-MM-DD` */
  checked: string
  /** calls to one person in 24 hours about one subject, if the law limits them */
  most_calls?: number
  note?: string
}

const CHECKED = '2026-11-30'
const SUMMARIES =
  'Read in two summaries, which agree; the law’s own text was not read. The link leads to the law.'

export const FEDERAL_SOURCE: CallSource = {
  law: '47 CFR 64.1200(c)(1)',
  url: 'https://www.ecfr.gov/current/title-47/section-64.1200',
  checked: CHECKED,
}

/** The source of each state's rule, by its code. */
export const STATE_SOURCES: Readonly<Record<string, CallSource>> = {
  AL: {
    law: 'Ala. Admin. Code r. 770-X-5-.17; holidays: Ala. Code 1-3-8',
    url: 'https://law.uslawyerdatabase.com/section-1-3-8-holidays-enumerated-personal-leave-days-state-holidays-observed-by-closing-of-state-offices-compensatory-leave-days',
    checked: CHECKED,
    note: 'We read the paragraph about automated calls; the one about live calls is reported to have the same hours.',
  },
  CT: {
    law: 'Conn. Gen. Stat. 42-288a(c)',
    url: 'https://www.cga.ct.gov/current/pub/chap_743m.htm',
    checked: CHECKED,
    note: SUMMARIES,
  },
  FL: {
    most_calls: 3,
    law: 'Fla. Stat. 501.616(6)',
    url: 'https://www.lawserver.com/law/state/florida/statutes/florida_statutes_501-616',
    checked: CHECKED,
  },
  KY: {
    law: 'Ky. Rev. Stat. 367.46955(16)',
    url: 'https://self-law.org/code/ky/chapter-367/367-46955',
    checked: CHECKED,
    note: SUMMARIES,
  },
  LA: {
    law: 'La. Rev. Stat. 45:811; LPSC General Order R-29617; holidays: La. Rev. Stat. 1:55',
    url: 'https://legis.la.gov/legis/Law.aspx?d=74097',
    checked: CHECKED,
    note: 'In an emergency the state may forbid all calls; such orders are not in this table.',
  },
  MA: {
    law: '201 CMR 12.02(2)',
    url: 'https://regulations.justia.com/states/massachusetts/201-cmr/title-201-cmr-12-00/section-12-02',
    checked: CHECKED,
  },
  MD: {
    most_calls: 3,
    law: 'Md. Code, Com. Law 14-4502(c)',
    url: 'https://lexace.ai/us/statute/maryland/CL-14-4502',
    checked: CHECKED,
    note: SUMMARIES,
  },
  MI: {
    law: 'Mich. Comp. Laws 750.540e(1)(f)',
    url: 'https://www.legislature.mi.gov/Laws/MCL?objectName=mcl-750-540e',
    checked: CHECKED,
    note: `${SUMMARIES} It forbids malicious calls, and may not mean every sales call.`,
  },
  MN: {
    law: 'Minn. Stat. 325E.30',
    url: 'https://www.revisor.mn.gov/statutes/cite/325E.30',
    checked: CHECKED,
    note: SUMMARIES,
  },
  MS: {
    law: 'Miss. Code 77-3-723',
    url: 'https://getpocketlaw.com/law/state_mississippi/section-77-3-723-rules-for-authorized-calls_57b73fa7ff73',
    checked: CHECKED,
    note: 'Calls on legal holidays have been allowed since 2024.',
  },
  NM: {
    law: 'N.M. Stat. 57-12-22(B)(5)',
    url: 'https://law.justia.com/codes/new-mexico/2006/nmrc/jd_57-12-22-13117.html',
    checked: CHECKED,
  },
  NV: {
    law: 'Nev. Rev. Stat. 598.0918(3)',
    url: 'https://www.leg.state.nv.us/NRS/NRS-598.html',
    checked: CHECKED,
    note: SUMMARIES,
  },
  OK: {
    most_calls: 3,
    law: 'Okla. Stat. tit. 15, 775C.4',
    url: 'https://app.legiplex.com/ok/legislature/2022/2022-r/bills/hb3168/drafts-latest',
    checked: CHECKED,
    note: SUMMARIES,
  },
  OR: {
    most_calls: 3,
    law: 'Or. Rev. Stat. 646.563, as changed by Oregon Laws 2025, ch. 580',
    url: 'https://www.oregonlegislature.gov/bills_laws/lawsstatutes/2025orlaw0580.pdf',
    checked: CHECKED,
    note: `Since 1 January 2026. ${SUMMARIES}`,
  },
  PA: {
    law: '73 P.S. 2245(a)(1) and (10); Act 47 of 2026 (Senate Bill 992)',
    url: 'https://www.pasenategop.com/news/brooks-bill-to-strengthen-protections-against-telemarketers-passes-senate',
    checked: CHECKED,
    note: 'Hours and Sundays since 18 October 2026. Read in the Senate’s account of the bill; that it became law, and when, is reported by others. The law’s own text was not read.',
  },
  RI: {
    law: 'R.I. Gen. Laws 5-61-2(2), 5-61-3.6',
    url: 'https://instalawyer.io/laws/rhode-island-general-laws/section-5-61-2-definitions',
    checked: CHECKED,
  },
  SD: {
    law: 'S.D. Codified Laws 37-30A-3(2)',
    url: 'https://sdlegislature.gov/Statutes/37-30A-3',
    checked: CHECKED,
    note: 'Read in one summary; the law’s own text was not read. The link leads to the law.',
  },
  TX: {
    law: 'Tex. Bus. & Com. Code 301.051',
    url: 'https://statutes.capitol.texas.gov/Docs/BC/htm/BC.301.htm',
    checked: CHECKED,
    note: SUMMARIES,
  },
  UT: {
    law: 'Utah Code 13-25a-103(3); holidays: 63G-1-301',
    url: 'https://codes.findlaw.com/ut/title-13-commerce-and-trade/ut-code-sect-13-25a-103/',
    checked: CHECKED,
    note: 'A person who has consented before may be called at other times. We do not rely on that. A change on 1 January 2027 is reported; we found no text of it.',
  },
  WA: {
    law: 'Wash. Rev. Code 19.158.040(2)',
    url: 'https://app.leg.wa.gov/RCW/default.aspx?cite=19.158.040',
    checked: CHECKED,
  },
  WY: {
    law: 'Wyo. Stat. 40-12-302(d)',
    url: 'https://wyoleg.gov/statutes/compress/title40.pdf',
    checked: CHECKED,
    note: SUMMARIES,
  },
}
