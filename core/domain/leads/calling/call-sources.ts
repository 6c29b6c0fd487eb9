/** The law that a rule of call-rules.ts follows, and where it was read. Not legal advice. */
export interface CallSource {
  law: string
  /** the public page on which this was read */
  url: string
  /** `YYYY-MM-DD` */
  checked: string
  /** calls to one person in 24 hours about one subject, if the law limits them */
  most_calls?: number
  note?: string
}

const CHECKED = '2026-11-30'
const AUTOMATED = 'The law names calls that are dialled automatically. We apply it to every call.'
const SUMMARY = 'Read in a summary; the law’s own text was not read.'
/** A summary of all states, of November 2025. */
const DROP_COWBOY = 'https://www.dropcowboy.com/state-compliance'

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
    note: AUTOMATED,
  },
  CT: {
    law: 'Conn. Gen. Stat. 42-288a',
    url: DROP_COWBOY,
    checked: CHECKED,
    note: SUMMARY,
  },
  FL: {
    most_calls: 3,
    law: 'Fla. Stat. 501.616(6)',
    url: 'https://www.lawserver.com/law/state/florida/statutes/florida_statutes_501-616',
    checked: CHECKED,
  },
  KY: {
    law: 'Ky. Rev. Stat. 367.46955',
    url: DROP_COWBOY,
    checked: CHECKED,
    note: SUMMARY,
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
    law: 'Md. Code, Com. Law 14-4502',
    url: 'https://www.dnc.com/index.php/news/maryland-governor-signs-stop-spam-calls-act-2023-law',
    checked: CHECKED,
    note: SUMMARY,
  },
  MN: {
    law: 'Minn. Stat. 325E.30',
    url: DROP_COWBOY,
    checked: CHECKED,
    note: SUMMARY,
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
    law: 'Nev. Rev. Stat. 597.814',
    url: DROP_COWBOY,
    checked: CHECKED,
    note: `${SUMMARY} ${AUTOMATED}`,
  },
  OK: {
    most_calls: 3,
    law: 'Okla. Stat. tit. 15, 775C.4',
    url: 'https://24kyc.com/oklahoma-passes-new-telephone-solicitation-act-similar-to-the-federal-tcpa-lerman-senter-pllc/',
    checked: CHECKED,
    note: SUMMARY,
  },
  PA: {
    law: '73 P.S. 2245(a)(10)',
    url: 'https://www.dnc.com/news/update-pennsylvania-governor-signs-new-robocall-restrictions-law',
    checked: CHECKED,
    note: 'Sundays: reported to be closed since 18 October 2026; that change was not read. Shorter hours have been proposed (Senate Bill 992).',
  },
  RI: {
    law: 'R.I. Gen. Laws 5-61-2(2), 5-61-3.6',
    url: 'https://instalawyer.io/laws/rhode-island-general-laws/section-5-61-2-definitions',
    checked: CHECKED,
  },
  TX: {
    law: 'Tex. Bus. & Com. Code 301.051',
    url: 'https://statutes.capitol.texas.gov/Docs/BC/htm/BC.301.htm',
    checked: CHECKED,
    note: SUMMARY,
  },
  UT: {
    law: 'Utah Code 13-25a-103(3); holidays: 63G-1-301',
    url: 'https://codes.findlaw.com/ut/title-13-commerce-and-trade/ut-code-sect-13-25a-103/',
    checked: CHECKED,
    note: 'A person who has consented before may be called at other times. We do not rely on that.',
  },
  WA: {
    law: 'Wash. Rev. Code 19.158.040(2)',
    url: 'https://app.leg.wa.gov/RCW/default.aspx?cite=19.158.040',
    checked: CHECKED,
  },
  WY: {
    law: 'Wyo. Stat. 40-12-302',
    url: 'https://wyoleg.gov/statutes/compress/title40.pdf',
    checked: CHECKED,
    note: SUMMARY,
  },
}
