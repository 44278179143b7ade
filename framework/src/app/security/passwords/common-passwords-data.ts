// Ingredients of common passwords, in lower case: a password is common if it is one of `singles`, or
// a word or keyboard walk, alone or with one of the endings.

/** Common passwords that are matched exactly. */
export const singles: readonly string[] = list(`
  pass passes 0000 1111 11111 6969 696969 131313 121212 7777777 88888888
  123456 123456789 12345678 12345 1234567 1234567890 1234 123123 000000 111111 654321 987654321
  1q2w3e 1q2w3e4r 1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx 1qaz2wsx3edc 1qaz1qaz 1qazxsw2 1qaz@wsx
  1qaz!qaz 1qaz2wsx3edc4rfv !qaz2wsx zaq12wsx zaq1zaq1 zaq1xsw2 zaq12wsxcde3 qazwsx qazwsxedc
  qazwsxedcrfv qaz123 qaz12345 qazqaz123 wsxedc qweasd qweasdzxc qweasd123 qwe123 qwe12345
  qwe123qwe qwe123456 123qwe 123qweasd 123qweasdzxc 123qwe123 1234qwer 12qwaszx 12qwas qwaszx
  q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 qwer1234 qwer12345 qwer4321 asd123 asd12345 asdf1234
  asdf12345 asdfasdf asdfqwer asdzxc asdasd asdasdasd zxc123 zxcv1234 zxcvbnm1 zxcvbnm123
  asdfghjkl1 asdfghjkl123 asdfgh123 asdfg12345 asdfg123 azsxdc azsxdcfv 1a2b3c 1a2b3c4d a1b2c3
  a1b2c3d4 a1b2c3d4e5 a12345 a123456 a1234567 a12345678 a123456789 aa123456 aa12345678 aaa111
  aaa12345 aaaa1111 abc12 abc123 abc1234 abc12345 abc123456 abc1234567 abc123456789 abcd123 abcd1234
  abcd12345 abcd123456 abcde123 abcde12345 abcdef123 abcdefg1 abcdefg123 abc123abc abcabc123
  123abc 123abc123 1234abcd 12345abc 12345abcde 123456a 1234567a 12345678a 123456789a 123456abc
  123456ab 123456aa 123456q 123456qq 123456qwe 123456qwerty 12345qwert 12345qwerty 123456789q
  1234567q 12345678q 12345678qwe 1234567890q 1234qwerasdf 1234asdf 12341234 123412345 12345612
  123456123456 1234561 12345678910 1234567891 12345678900 123456789101112 0123456789 01234567
  0987654321 09876543 9876543210 987654 98765432 87654321 7654321 76543210 11223344 1122334455
  112233 112233445566 11112222 1111122222 11221122 12121212 13131313 147258 147258369 147852
  147852369 1472583690 159357 159753 159357258 159753456 159951 15975300 258456 258369 321321
  321654 321654987 357159 369258147 369369 456123 456789 456456 456654 456852 789456 789456123
  7894561230 741852 741852963 7418529630 753159 753951 852456 852963 951753 963852 963852741
  654123 789789 789654123 14789632 147896325 123654 123654789 12365478 1236987 123698745 123789
  123789456 123123123 123123a 1231234 123321 1233211 12332100 123321123 1234554321 12344321
  1234321 123454321 123456654321 520520 5201314 1314520 52013140 7758521 5845201314 woaini
  woaini1314 woaini520 woaini123 i0veyou iloveu iloveu2 iloveu123 iloveyou2 iloveyou3 ilovegod
  ilovejesus ilovemom ilovemum ilovedad ilovemyself ilovemylife iloveme iloveme1 ilovehim iloveher
  lovelove lovelife lovely1 loveme1 loveme2 loveyou1 loveyou2 mylove1 mypassword mypass mypass123
  newpassword newpass newpass1 newpass123 oldpassword yourpassword thepassword nopassword
  password01 password001 passwordpassword passw0rd passw0rd1 passw0rd123 passw0rd! p@ssw0rd
  p@ssw0rd1 p@ssw0rd! p@ssw0rd123 p@ssword p@ssword1 p@ssword123 p@55w0rd p4ssw0rd pa55word
  pa55w0rd pa$$word pa$$w0rd pa$$word1 pass1234 pass12345 pass123456 pass123 pass1 passpass
  passwort passwort1 passwort123 kennwort motdepasse contrasena contraseña senha senha123 parola
  parola123 parola12 haslo haslo123 heslo heslo123 jelszo salasana losenord wachtwoord
  wachtwoord1 lozinka sifre sifre123 mypassword1 mypassword123 letmein letmein1 letmein! letmein123
  letmein2 letmeinnow openup opensesame opensesame1 opendoor changeme changeme1 changeme! changeme123
  changeit change123 changeme2 welcome welcome1 welcome! welcome123 welcome12 welcome2 welcome01
  welcome2u welcomeback admin admin1 admin12 admin123 admin1234 admin12345 admin123456 admin@123
  admin!@# adminadmin admin2020 admin2021 admin2022 admin2023 admin2024 admin2025 admin2026
  administrator administrator1 root root123 rootroot root1234 toor toortoor test test1 test12
  test123 test1234 test12345 test123456 testtest testing testing1 testing123 test@123 tester
  tester123 guest guest123 guestguest user user123 user1234 username username1 default default1
  default123 demo demo123 demo1234 temp temp123 temp1234 temppass temporary secret secret1 secret123
  secretsecret qwerty qwerty1 qwerty12 qwerty123 qwerty1234 qwerty12345 qwerty123456 qwerty! qwerty1!
  qwerty7 qwerty77 qwerty99 qwertyqwerty qwertyu1 qwertyui1 qwertyuiop1 qwertyuiop123 qwert123
  qwert12345 qwert1234 qwertz qwertz1 qwertz123 qwertzuiop azerty azerty1 azerty123 azertyuiop
  azertyui azerty1234 azerty12345 1azerty qsdfghjklm wxcvbn poiuytrewq mnbvcxz lkjhgfdsa trustno1
  trustnoone starwars1 startrek1 batman1 superman1 spiderman1 iloveyou1 monkey1 dragon1 shadow1
  master1 michael1 jordan23 football1 baseball1 princess1 sunshine1 ncc1701 ncc1701d ncc1701e thx1138
  bond007 jamesbond agent007 jamesbond007 007007 0007 rush2112 blink182 sum41 50cent 2pac eminem1
  metallica1 slipknot1 nirvana1 greenday1 linkinpark linkinpark1 system32 windows7 windows10
  windows11 windows98 windowsxp android1 iphone4 iphone5 iphone6 samsung1 nokia123 google123
  facebook1 youtube1 minecraft1 fortnite1 roblox123 pokemon1 pikachu1 naruto1 sasuke1 hinata1 uchiha
  gfhjkm gfhjkm123 ghbdtn ghbdtn123 yfnfif cjkysirj zrhfcj vfhbyf vfrcbv fylhtq rfnthbyf yfcntz
  ytnyexnj lfitymrf ktyxbr gjkbyf pfqxbr marina zaqwsx xsw2zaq1 !@#$%^&* !@#$%^&*() !@#$%^ !@#$%
  !@#$1234 !@#123 !qaz@wsx 1q2w3e4r! 1q2w3e4r5t! zaq!2wsx zaq1@wsx q1w2e3r4! aa123456! abc123! abc@123
  abc123!@# abcd@1234 abcd123! asd@123 pass@123 pass@word pass@word1 pass@1234 pass@12345 passw@rd
  test123! user@123 india@123 root@123 welcome@123 welcome@1 welcome@12 hello@123 qwerty@123
  asdf@123 asdf@1234 12345@abc 1234@abcd 123@abc 123456@a 123456a@ a123456@ a@123456 a123456! aa@123456
  ou812 nothing1 whatever1 whatever2 nopass nopass123 fuckyou fuckyou1 fuckyou2 fuckyou123 fuckoff
  fuckoff1 fuckme fuckit motherfucker asshole asshole1 bitch bitch1 bullshit bullshit1 eatme eatme69
  suckit suckmydick biteme biteme1 sexsex sexysexy sexy69 sexy123 hotsex pussy69 pussycat1 bigdick
  bigdick1 bigdaddy1 bigtits boobies dickhead butthead shithead goddamn bastard cocacola1 pepsi123
  drpepper mountaindew doritos skittles heineken guinness budweiser corona jackdaniels jagermeister
  captainmorgan smirnoff marlboro marlboro1 newport newport1 camel123 onelove onelove1 oneluv
  peace123 loveandpeace godisgood godisgood1 godislove godislove1 jesus1st jesuschrist jesussaves
  jesusislord jesuslovesme jesus123 christ123 blessed1 blessed123 amen123 allah123 allahuakbar
  bismillah bismillah1 bismillah786 alhamdulillah mashallah inshallah waheguru waheguru1 saibaba
  sairam123 omsairam jaimatadi krishna123 harekrishna ganesh123 786786 786786786 india123 india1234
  pakistan786 pakistan123 indonesia1 malaysia1 vietnam1 thailand1 philippines brasil123 brasil2014
  mexico123 argentina1 colombia1 deutschland deutschland1 schalke04 borussia09 bvb09bvb bayern123
  hamburg1 berlin123 muenchen schatz123 schatzi1 hallo123 hallo1234 hallohallo hallo12345 passwort!
  bonjour1 bonjour123 soleil123 doudou123 chouchou1 loulou123 marseille13 jetaime1 jetaime123 jetaime
  bordeaux1 nicolas1 amour123 monamour teamo123 teamomucho tequiero1 tequiero miamor123 minhavida
  flamengo1 corinthians corinthians1 palmeiras1 saopaulo1 vascodagama benfica1 benfica123 sporting1
  fcporto1 portugal1 juventus1 juventus123 forzamilan forzainter forzajuve forzaroma napoli1926
  ciaociao ciao1234 amoremio amoremio1 tiamo123 tiamo1234 francesco1 giuseppe1 alessandro1 galatasaray
  galatasaray1905 fenerbahce fenerbahce1907 besiktas1903 istanbul34 ankara06 izmir35 turkiye1 krasotka
  privet123 lubov123 moscow77 spartak1 zenit1925 dinamo123 rossiya1 polska123 polska1 kochamcie
  kochanie kochanie1 misiaczek misiek123 bartek123 kamil123 mateusz1 polska12 legia1916
`)

/** Base words of passwords: names, teams, brands, animals, months and so on. */
export const words: readonly string[] = list(`
  password passwort princess sunshine football baseball basketball softball soccer hockey tennis
  volleyball swimming running dancing dancer cheerleader gymnast skateboard snowboard surfing
  superman batman spiderman ironman wolverine deadpool avengers starwars startrek skywalker yoda
  chewbacca vader gandalf frodo hobbit legolas aragorn harrypotter hogwarts hermione dumbledore
  gryffindor slytherin voldemort pokemon pikachu charizard charmander bulbasaur digimon naruto
  sasuke sakura kakashi itachi onepiece goku vegeta dragonball minecraft fortnite roblox creeper
  zelda mario luigi sonic kirby pacman tetris halo warcraft starcraft diablo counterstrike
  callofduty battlefield assassin skyrim fallout
  monkey dragon shadow master tiger lion panther leopard cheetah jaguar cougar puma eagle falcon hawk
  raven phoenix wolf coyote bear panda koala kitten kitty cat doggy puppy dog horse pony unicorn
  dolphin shark whale turtle penguin parrot chicken rabbit bunny hamster monkeys tigers lions eagles
  butterfly ladybug spider scorpion snake cobra python viper dinosaur elephant giraffe zebra
  rooster piglet froggy squirrel ferret
  buster buddy bailey maggie lucky lucy molly daisy bella max rocky charlie jake jack toby cody
  duke sammy sadie sophie chloe coco oreo smokey pepper ginger peanut cookie cupcake muffin biscuit
  pumpkin banana cherry apple orange lemon strawberry blueberry pineapple mango peaches melon coconut
  chocolate vanilla candy sugar honey caramel popcorn pizza burger cheese butter bacon waffle pancake
  noodle nutella spaghetti chips coffee cappuccino espresso
  iloveyou loveyou lovely love lover forever babygirl babyboy baby sweetie sweetheart sweety darling
  cutie angel angels heaven devil lucifer satan demon ghost vampire zombie witch wizard magic mystic
  merlin dream dreamer dreams fantasy destiny freedom liberty justice peace hope faith trust truth
  wisdom happy happiness smile smiley laughter sunny rainbow sunflower flower flowers rose roses lily
  jasmine violet tulip orchid blossom garden summer winter spring autumn january february march
  april june july august september october november december monday tuesday wednesday thursday friday
  saturday sunday christmas halloween easter birthday holiday vacation
  sun moon star stars galaxy planet earth saturn jupiter mercury neptune pluto mars venus cosmos
  universe rocket apollo thunder lightning storm hurricane tornado rain snow snowflake snowball winter
  fire flame inferno phoenix ocean river mountain island beach paradise sunset sunrise midnight
  twilight eclipse
  red blue green yellow orange purple pink black white silver gold golden diamond crystal ruby
  sapphire emerald pearl amber platinum
  hello welcome letmein whatever nothing something anything computer internet network server system
  security private secret access login account master manager office business company money dollar
  million millionaire rich winner loser number user guest student teacher school college university
  doctor nurse police soldier army navy marine marines ranger sniper warrior knight king queen prince
  emperor samurai ninja pirate captain general chief boss legend hero champion gangster killer hunter
  hacker matrix trinity morpheus neo cyber robot android google yahoo hotmail gmail facebook
  instagram twitter youtube snapchat netflix amazon microsoft windows linux ubuntu apple macbook
  iphone samsung galaxy nokia motorola sony playstation xbox nintendo intel nvidia
  mustang camaro corvette ferrari porsche mercedes bmw audi toyota honda nissan mazda subaru yamaha
  suzuki kawasaki ducati harley chevrolet chevy ford dodge viper charger lamborghini maserati bugatti
  jaguar volvo peugeot renault skyline civic tacoma
  arsenal chelsea liverpool manchester manutd mancity tottenham everton celtic rangers barcelona
  realmadrid juventus milan inter bayern dortmund ajax benfica porto galatasaray flamengo
  yankees redsox dodgers giants cubs cardinals braves mets phillies cowboys steelers packers raiders
  broncos patriots dolphins eagles bears lakers celtics bulls knicks heat spurs warriors pistons
  blackhawks bruins penguins canucks
  ronaldo messi neymar beckham zidane rooney jordan kobe lebron tiger woods tyson
  metallica slipknot nirvana greenday blink eminem tupac beatles queen acdc rammstein ironmaiden
  pantera korn radiohead coldplay madonna rihanna beyonce shakira justinbieber onedirection music
  guitar drums piano rock rockstar rocknroll hiphop rapper singer
  michael jennifer jessica ashley amanda daniel matthew joshua andrew anthony christopher christian
  robert william joseph david james john thomas george charles richard edward henry steven brian
  kevin jason justin brandon jonathan nicholas nicole alexander alexandra alexis samantha stephanie
  elizabeth victoria vanessa michelle melissa danielle brittany heather tiffany rebecca rachel sarah
  laura lauren hannah emily emma olivia sophia isabella natalie natasha anna maria andrea angela
  angelina barbara catherine christina claudia cynthia diana patricia sandra sabrina veronica
  katherine kimberly jacqueline benjamin gabriel samuel nathan zachary tyler dylan austin ethan logan
  mason jacob oliver harry oscar simon martin patrick peter philip vincent victor walter raymond
  ronald donald gregory jeffrey kenneth timothy travis trevor wesley carlos miguel antonio fernando
  alejandro francisco eduardo ricardo roberto rodrigo sebastian santiago mohammed muhammad ahmed
  mustafa mehmet fatima ayesha aisha priya rahul rajesh krishna ganesh lakshmi sergey dmitry andrey
  tatiana svetlana nastya wojtek agnieszka mateusz francesco giovanni alessandro giuseppe valentina
  martina pierre camille nicolas julien sebastien stefan thorsten andreas matthias florian tobias
  canada america mexico brazil argentina colombia england london scotland ireland france paris
  germany berlin hamburg spain madrid italy roma russia moscow ukraine poland warsaw turkey istanbul
  israel egypt africa nigeria india mumbai delhi pakistan karachi indonesia jakarta malaysia
  singapore thailand philippines manila vietnam china beijing shanghai taiwan korea japan tokyo
  australia sydney melbourne texas dallas houston florida miami california chicago boston newyork
  brooklyn seattle denver phoenix atlanta vegas hawaii toronto montreal
  family mother father mommy daddy mama papa sister brother brothers sisters friend friends
  bestfriend bestfriends boyfriend girlfriend husband wife grandma grandpa jesus christ god
  church bible gospel blessed grace mercy glory spirit holy buddha allah
  qwerty qwertz azerty asdf asdfgh zxcvbn zxcvbnm qazwsx letters abcdef abcdefg
  admin test testing tester default temp demo root trustno
  hottie sexy sexybitch sexygirl playboy player pimp gangsta thug ghetto
  chester tigger snoopy garfield mickey minnie donald goofy pluto bambi dumbo nemo shrek simpson
  homer bart scooby tweety bugsbunny barbie barney elmo spongebob patrick squidward hellokitty
  cinderella ariel belle elsa
  single taken crazy crazygirl cool coolguy awesome perfect beautiful gorgeous handsome pretty sweet
  lonely broken emo gothic punk skater
  scooter hammer maverick sparky bigdog jackson golfer cowboy monster nascar dakota boomer bulldog
  gateway compaq hardcore junior iceman miller johnny fender nikita please brandy badboy taylor morgan
  marina nascar cowgirl tinkerbell buttercup bubbles bubba bigboy bigman bigdaddy babe princesa hermosa
  estrella mariposa corazon bonita chiquita amigos amor tequiero teamo
`)

/** Common suffixes of passwords. */
export const endings: readonly string[] = list(`
  1 2 3 4 5 6 7 8 9 0 01 02 07 10 11 12 13 14 21 22 23 69 77 88 99 00 007 101 111 123 321 666 777 786
  1234 4321 12345 123456 ! 1! 12! 123! !! # * . @1 @123 _123 123456789
  1980 1985 1986 1987 1988 1989 1990 1991 1992 1993 1994 1995 1996 1997 1998 1999 2000 2001 2002
  2003 2004 2005 2010 2012 2015 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027
`)

/** Keyboard walks and sequences. */
export const walks: readonly string[] = list(`
  01234567890 qwertyuiop asdfghjkl zxcvbnm qwertzuiop yxcvbnm azertyuiop qsdfghjklm wxcvbn
  abcdefghijklmnopqrstuvwxyz 1qaz2wsx3edc4rfv5tgb 1q2w3e4r5t6y7u8i9o0p qazwsxedcrfvtgb
  qwertyuiopasdfghjklzxcvbnm 1234qwerasdfzxcv q1w2e3r4t5y6u7i8 !@#$%^&*() zaqxswcdevfr
  йцукенгшщзхъ фывапролджэ ячсмитьбю
`)

function list(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
