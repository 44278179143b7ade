/** The texts of the pages; those of the framework are their own keys. Other languages are in files beside this one. */
export const en = {
  'home.title': 'Home',
  'home.member': 'You are signed in as <strong>{email}</strong>.',
  'home.guest': 'This page is <code>views/home.template.html</code>, and yours to change.',
  'members.title': 'Members',
  'members.heading': 'For members',
  'members.lead':
    'Only people who are signed in see this page: its route has the guard <code>signedIn</code>.',
} as const
