//! go: each subcommand with its own flags.

use super::options::Dialect;
use super::runner::{Operands, PLAIN, Project, Spelt, Sub};

/// Flags of every subcommand that builds something.
macro_rules! build {
    ($own:literal) => {
        concat!(
            "a n race msan asan cover covermode= coverpkg= work asmflags=! buildmode= buildvcs? \
                compiler=! gccgoflags=! gcflags=& installsuffix= ldflags=& linkshared mod= modcacherw \
                modfile=! overlay=! pgo=< pkgdir=>> tags= trimpath toolexec=; ",
            $own
        )
    };
}

const TELLS: Sub = Sub { spelt: Spelt::Nothing, ..PLAIN };
const CHANGES: Sub = Sub { spelt: Spelt::Sub, ..PLAIN };

pub(super) const GO: Project = Project {
    dialect: Dialect::Single,
    cuts_names: false,
    harmless: "v x json? p= count= timeout= failfast fullpath parallel=",
    options: "C=^",
    subs: &[
        Sub { names: "build", options: build!("o=>"), operands: Operands::Packages, ..PLAIN },
        Sub {
            names: "test",
            options: build!(
                "run= skip= bench= benchtime= benchmem cpu= fuzz= fuzztime= fuzzminimizetime= list= \
                    outputdir=>> short shuffle= vet= artifacts exec=; c i o=> blockprofile=> \
                    blockprofilerate= coverprofile=> cpuprofile=> memprofile=> memprofilerate= \
                    mutexprofile=> mutexprofilefraction= trace=> args"
            ),
            operands: Operands::Packages,
            ..PLAIN
        },
        Sub {
            names: "vet",
            options: build!("vettool=; c= fix diff flags"),
            operands: Operands::Packages,
            ..PLAIN
        },
        Sub { names: "fmt", options: "n mod= modfile=!", operands: Operands::Packages, ..PLAIN },
        Sub { names: "clean", options: build!("i r cache testcache modcache fuzzcache"), ..PLAIN },
        Sub {
            names: "run",
            options: build!("exec=;"),
            spelt: Spelt::Sub,
            operands: Operands::Package,
            ..PLAIN
        },
        Sub {
            names: "list",
            options: build!("f= json? m e deps test u versions export compiled find c reuse=< retracted"),
            operands: Operands::Packages,
            ..TELLS
        },
        Sub { names: "version", options: "m", operands: Operands::Reads, ..TELLS },
        Sub { names: "doc", options: "all c cmd short src u ex http!", ..TELLS },
        Sub { names: "help", ..TELLS },
        Sub { names: "env", options: "changed w! u!", ..TELLS },
        Sub {
            names: "install get",
            options: build!("t u? tool d insecure"),
            spelt: Spelt::Operands,
            operands: Operands::Packages,
            ..PLAIN
        },
        Sub { names: "generate", options: build!("run= skip="), operands: Operands::Packages, ..CHANGES },
        Sub { names: "mod+tidy", options: "e diff go= compat= modfile=!", makes: "go.mod", ..PLAIN },
        Sub { names: "mod+download mod+verify", options: "reuse=< modfile=!", ..PLAIN },
        Sub { names: "mod+why mod+graph", options: "m vendor go= modfile=!", ..TELLS },
        Sub { names: "mod+vendor", options: "e o=>>", ..CHANGES },
        Sub { names: "mod+init", options: "", makes: "go.mod", ..CHANGES },
        Sub { names: "mod+edit", options: EDIT, makes: "go.mod", operands: Operands::None, ..CHANGES },
        Sub { names: "work+sync work+use work+init", options: "r", operands: Operands::Packages, ..CHANGES },
        Sub { names: "fix", options: build!("fix= diff"), operands: Operands::Packages, ..CHANGES },
        Sub { names: "tool+cover", options: "func=< html=< o=> mode= var= h V?", ..PLAIN },
        Sub {
            names: "tool",
            options: "n modfile=! modcacherw overlay=! o=> html=< func=< exec=; toolexec=; extld=! extldflags=! \
                extar=! trimpath= linkobj=> cpuprofile=> memprofile=> blockprofile=> mutexprofile=> traceprofile=> \
                asmhdr=> output=> diff_base= http=! tools=!",
            is_lax: true,
            spelt: Spelt::Operand,
            operands: Operands::Plain,
            ..PLAIN
        },
    ],
    other: Sub { spelt: Spelt::Everything, ..PLAIN },
    alone: Spelt::Nothing,
};

const EDIT: &str = "module= require= droprequire= exclude= dropexclude= retract= dropretract= tool= droptool= \
    go= toolchain= fmt print json godebug= dropgodebug= ignore= dropignore=";
