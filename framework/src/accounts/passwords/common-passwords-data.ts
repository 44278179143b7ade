// Ingredients of common passwords, in lower case: a password is common if it is one of `singles`, or
// a word or keyboard walk, alone or with one of the endings. The list of the most used passwords is in
// common-passwords.br, which framework/pack-common-passwords.ts writes.

/** Common passwords that the list lacks. */
export const singles: readonly string[] = list(`
  aa12345678 52013140 ilovemum ilovedad mypass123 oldpassword yourpassword thepassword p@55w0rd
  pass123456 contraseña haslo123 heslo123 sifre123 welcome2u welcomeback admin!@# toortoor !@#$1234
  !qaz@wsx zaq1@wsx abc123!@# abcd@1234 abcd123! pass@123 pass@word pass@word1 pass@1234 pass@12345
  passw@rd welcome@12 asdf@1234 12345@abc 1234@abcd 123456@a 123456a@ a123456@ a@123456 a123456!
  aa@123456 nopass123 mountaindew jagermeister captainmorgan loveandpeace jesus1st alhamdulillah
  mashallah sairam123 brasil123 brasil2014 borussia09 bvb09bvb schatz123 schatzi1 hallo12345
  soleil123 doudou123 loulou123 jetaime1 jetaime123 amour123 miamor123 minhavida corinthians
  corinthians1 vascodagama fcporto1 napoli1926 ciao1234 tiamo123 tiamo1234 galatasaray1905
  fenerbahce1907 besiktas1903 ankara06 turkiye1 ytnyexnj lubov123 zenit1925 dinamo123 rossiya1
  misiek123 bartek123 kamil123 polska12 legia1916
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
  fall may frühling fruehling sommer herbst primavera verano otoño invierno printemps automne hiver estate
  autunno inverno verão outono zomer herfst
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
