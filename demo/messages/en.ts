/** The texts of the pages; those of the framework are their own keys. Other languages are in files beside this one. */
export const en = {
  'home.lead':
    'A complete web project to explore: accounts, mails, a database, metrics and errors. Each card shows one feature and the file behind it.',
  'home.items': 'Browse the items',
  'home.metrics': 'Watch the metrics',
  'home.who': 'Who is signed in',
  'home.member': 'Signed in as <strong class="email">{email}</strong>',
  'home.guest': 'You are a <strong>guest</strong>',
  'home.guest.text': 'An account here is a row in your own database.',
  'home.accounts': 'Accounts',
  'home.register': 'Registration',
  'home.register.text':
    'A link by mail proves the address; until then the account works but is marked unverified.',
  'home.login': 'Signing in',
  'home.login.text':
    'The same answer for an unknown address and a wrong password, five attempts a minute, and remembered devices if you like.',
  'home.forgot': 'A forgotten password',
  'home.forgot.text':
    'A link that works once, for an hour. The new password signs you out everywhere else.',
  'home.password': 'A new password',
  'home.password.text':
    'You enter the old one first; then every other browser is signed out, whichever worker serves it.',
  'home.sessions': 'Sessions and devices',
  'home.sessions.text':
    'Everywhere you are signed in, with a button to end each one at once and one for all the others. Guests are sent to sign in, then back here.',
  'home.mails.text': 'In development they are written to files, and this page shows them.',
  'home.data': 'Pages and data',
  'home.list': 'A list from the database',
  'home.list.text':
    'By page with a count or <a href="/items?cursor=">by cursor</a>, with filters; the same path serves JSON with the headers <code>Link</code> and <code>X-Total-Count</code>.',
  'home.view': 'A view',
  'home.view.text':
    'A path parameter goes into a template. Everything from outside is escaped, even <a href="{href}">markup</a>.',
  'home.json': 'A JSON route',
  'home.json.text': 'A handler returns a plain value and the client gets JSON.',
  'home.files': 'Static files',
  'home.files.text':
    'The style and the icons of this page, with <code>ETag</code>, ranges and compression.',
  'home.error': 'An error page',
  'home.error.text': "A path without a route gets the project's own error page.",
  'home.settings': 'Settings',
  'home.settings.text':
    'The greeting and the title come from the environment, each with a type, a default and a description.',
  'home.running': 'Running it',
  'home.metrics.text':
    'A live page for you and text for Prometheus at the same address, summed over all workers. Only this machine and private networks see it.',
  'home.health': 'A health probe',
  'home.health.text':
    'Answered before everything else; <code>HEALTH_PATH</code> moves it or turns it off.',
  'home.ready': 'Readiness checks the database too.',
  'home.ready.link': '<a href="/ready">Readiness</a> checks the database too.',
  'home.tools': 'For developers',
  'home.failure': 'A failure',
  'home.failure.text':
    "A route that throws. In development you see the code that failed; in production visitors see the project's own error page.",
  'items.lead':
    'The same list in two ways: by page, with a count, or by cursor, which is as fast at the end as at the beginning.',
  'items.mode': 'Pagination mode',
  'items.byPage': 'By page',
  'items.byCursor': 'By cursor',
  'items.name': 'Name',
  'items.category': 'Category',
  'items.all': 'All',
  'items.order': 'Order',
  'items.cheapest': 'Cheapest first',
  'items.dearest': 'Most expensive first',
  'items.newest': 'Newest first',
  'items.rows': 'Rows',
  'items.available': 'In stock only',
  'items.show': 'Show',
  'items.none': 'No items found. <a href="/items">Show all items</a>',
  'items.table': 'Table of items',
  'items.count': '{count} items',
  'items.position': '{count} items, page {page} of {pages}',
  'items.price': 'Price (€)',
  'items.stock': 'Stock',
  'items.added': 'Added',
  'items.pages': 'Pages of the list',
  'items.previous': 'Previous',
  'items.start': 'Start',
  'items.next': 'Next',
  'items.page': 'Page {page}',
  'items.json':
    'A client that asks for <code>application/json</code> gets the same list at this address, with <code>Link</code> in its headers.',
  'items.json.count':
    'A client that asks for <code>application/json</code> gets the same list at this address, with <code>Link</code> and <code>X-Total-Count</code> in its headers.',
  'cursor.title': 'Invalid cursor',
  'cursor.heading': 'This cursor is not valid',
  'cursor.lead': 'The address contains a cursor that does not belong to this list or its order.',
  'cursor.back': 'Back to the start of the list',
  'hello.lead': 'The name comes from the path: <code>/hello/{name}</code>. Try another one.',
  'hello.back': 'Back to the home page',
} as const
